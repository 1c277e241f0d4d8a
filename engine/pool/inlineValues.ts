/** Maximum number of values in an answer that is finished on the main thread, which takes about a millisecond. */
export const inlineValues = 20_000;
