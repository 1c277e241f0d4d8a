import { createWordTable, retryImport } from "../../../charts/index.ts";
import { english } from "./controlWords.ts";

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

/** Returns the words of controls in a language. English if the language is not available, and until it is loaded. */
export const controlWordsOf = table.of;

/** Loads the words of controls, once. Rejects if the script cannot be loaded; the next call tries again. */
export const loadControlWords = table.load;
