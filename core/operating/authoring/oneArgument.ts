/** Returns the one argument of a command. @throws {Error} with `message` for none and for several */
export function oneArgument(positionals: readonly string[], message: string): string {
  const [argument, ...others] = positionals;
  if (argument === undefined || others.length > 0) throw new Error(message);
  return argument;
}
