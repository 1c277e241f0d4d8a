/** The most values with which answers are finished on the main thread: about a millisecond of work. */
export const inlineValues = 20_000;
