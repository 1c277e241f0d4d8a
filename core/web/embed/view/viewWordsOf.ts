import { createWordTable, hasWords, loadWords, retryImport } from "../../charts/index.ts";
import { english } from "./viewWords.ts";

const table = createWordTable(english, {
  nl: retryImport(() => import("./words/nl.ts")),
  fr: retryImport(() => import("./words/fr.ts")),
  de: retryImport(() => import("./words/de.ts")),
  es: retryImport(() => import("./words/es.ts")),
  it: retryImport(() => import("./words/it.ts")),
  pt: retryImport(() => import("./words/pt.ts")),
  ar: retryImport(() => import("./words/ar.ts")),
  he: retryImport(() => import("./words/he.ts")),
  ja: retryImport(() => import("./words/ja.ts")),
});

/** Returns the words of a language. English if the language is not available, and until it is loaded. */
export const viewWordsOf = table.of;

/** Returns whether the words of a locale are loaded: those of the component and those of pictures. */
export const hasLanguage = (localeId: string): boolean =>
  table.isLoaded(localeId) && hasWords(localeId);

/**
 * Loads the words of the component and of pictures in the language of a locale, once. Rejects if a script cannot be
 * loaded; the next call tries again.
 */
export async function loadLanguage(localeId: string): Promise<void> {
  await Promise.all([table.load(localeId), loadWords(localeId)]);
}
