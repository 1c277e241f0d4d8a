import { retryImport } from "../retryImport.ts";
import { createWordTable } from "./createWordTable.ts";
import { english } from "./words.ts";

const table = createWordTable(english, {
  nl: retryImport(() => import("./languages/nl.ts")),
  fr: retryImport(() => import("./languages/fr.ts")),
  de: retryImport(() => import("./languages/de.ts")),
  es: retryImport(() => import("./languages/es.ts")),
  it: retryImport(() => import("./languages/it.ts")),
  pt: retryImport(() => import("./languages/pt.ts")),
  ar: retryImport(() => import("./languages/ar.ts")),
  he: retryImport(() => import("./languages/he.ts")),
  ja: retryImport(() => import("./languages/ja.ts")),
});

/** Returns the words of a language. English if the language is not available, and until `loadWords` has loaded it. */
export const wordsOf = table.of;

/** Returns whether `wordsOf` has the words of a locale. */
export const hasWords = table.isLoaded;

/** Loads the words of a locale, once. Rejects if the script cannot be loaded; the next call tries again. */
export const loadWords = table.load;
