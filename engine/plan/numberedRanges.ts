/** Maximum product of cardinalities for which groups may form an array. */
export const largestCapacity = 2 ** 24;
/** Maximum range of whole numbers that are numbered instead of hashed. */
export const largestWholeRange = 2 ** 22;
