import type { ViewerWords } from "./en.ts";

/** The words in Spanish. */
export const words: ViewerWords = {
  person: "Persona",
  unknown: "Alguien que se eliminó o a quien usted no puede ver",
};
