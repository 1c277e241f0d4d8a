/** Says why a folder cannot be exported or applied, in one line per problem with its file and member. */
export class TransferError extends Error {
  override readonly name = "TransferError";
}

/**
 * Throws an error that lists the problems, if there are any.
 * @throws {TransferError} with the first 20 problems
 */
export function refuseProblems(problems: readonly string[]): void {
  if (problems.length === 0) return;
  const shown = problems.slice(0, 20);
  const more = problems.length > shown.length ? [`and ${problems.length - shown.length} more`] : [];
  throw new TransferError([...shown, ...more].join("\n"));
}
