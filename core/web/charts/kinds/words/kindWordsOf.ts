import { retryImport } from "../../retryImport.ts";
import { createWordTable } from "../../words/createWordTable.ts";
import { english } from "./kindWords.ts";

const table = createWordTable(english, {
  nl: retryImport(() => import("./nl.ts")),
  fr: retryImport(() => import("./fr.ts")),
  de: retryImport(() => import("./de.ts")),
  es: retryImport(() => import("./es.ts")),
  it: retryImport(() => import("./it.ts")),
  pt: retryImport(() => import("./pt.ts")),
  ar: retryImport(() => import("./ar.ts")),
  he: retryImport(() => import("./he.ts")),
  ja: retryImport(() => import("./ja.ts")),
});

/** Returns the words of late kinds in a language. English if the language is not available, and until it is loaded. */
export const kindWordsOf = table.of;

/** Returns whether `kindWordsOf` has the words of a locale. */
export const hasKindWords = table.isLoaded;

/** Loads the words of late kinds, once. Rejects if the script cannot be loaded; the next call tries again. */
export const loadKindWords = table.load;
