import type { ViewerWords } from "./en.ts";

/** The words in French. */
export const words: ViewerWords = {
  person: "Personne",
  unknown: "Une personne supprimée ou que vous ne pouvez pas voir",
};
