/** Returns a readable message for a failure. */
export const messageOf = (failure: unknown): string =>
  failure instanceof Error ? failure.message : String(failure);
