/** Maximum number of values for which an answer is finished on the main thread: about a millisecond of work. */
export const inlineValues = 20_000;
