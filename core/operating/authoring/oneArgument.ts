/**
 * Returns the only positional argument of a command.
 * @throws {Error} with `message` if there are no arguments, or more than one
 */
export function oneArgument(positionals: readonly string[], message: string): string {
  const [argument, ...others] = positionals;
  if (argument === undefined || others.length > 0) throw new Error(message);
  return argument;
}
