/** Why a folder cannot be exported or applied: one line a problem, each naming file and member. */
export class TransferError extends Error {
  override readonly name = "TransferError";
}

/** @throws {TransferError} with the first 20 problems, when there is one */
export function refuseProblems(problems: readonly string[]): void {
  if (problems.length === 0) return;
  const shown = problems.slice(0, 20);
  const more = problems.length > shown.length ? [`and ${problems.length - shown.length} more`] : [];
  throw new TransferError([...shown, ...more].join("\n"));
}
