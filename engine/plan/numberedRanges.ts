/** Products of cardinalities up to which groups may be an array. */
export const largestCapacity = 2 ** 24;
/** Distinct whole numbers up to which they are numbered instead of hashed. */
export const largestWholeRange = 2 ** 22;
