/** Returns the message of a failure for people. */
export const messageOf = (failure: unknown): string =>
  failure instanceof Error ? failure.message : String(failure);
