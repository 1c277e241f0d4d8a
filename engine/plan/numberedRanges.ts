/** Maximum product of cardinalities for which groups may form an array. */
export const largestCapacity = 2 ** 24;
/**
 * Maximum range of whole numbers that are numbered, as keys or as values to count. Numbers have 32 bits, and 0 is null.
 */
export const largestWholeRange = 2 ** 32 - 2;
