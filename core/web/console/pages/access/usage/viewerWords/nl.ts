import type { ViewerWords } from "./en.ts";

/** The words in Dutch. */
export const words: ViewerWords = {
  person: "Persoon",
  unknown: "Iemand die is verwijderd of die je niet kunt zien",
};
