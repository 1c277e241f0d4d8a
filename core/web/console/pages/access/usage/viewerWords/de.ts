import type { ViewerWords } from "./en.ts";

/** The words in German. */
export const words: ViewerWords = {
  person: "Person",
  unknown: "Eine Person, die gelöscht wurde oder die Sie nicht sehen können",
};
