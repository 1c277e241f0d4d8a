/** The words in English. */
export const words = {
  person: "Person",
  unknown: "Somebody who was deleted, or whom you cannot see",
};

/** The words of this table in one language. */
export type ViewerWords = typeof words;
