/** Returns what a failure says to people. */
export const messageOf = (failure: unknown): string =>
  failure instanceof Error ? failure.message : String(failure);
