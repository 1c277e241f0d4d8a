import { readerLanguage, type ConsoleLanguage } from "./readerLanguage.ts";
import type { WordTables } from "./wordTables.ts";

const loaders: Readonly<
  Record<Exclude<ConsoleLanguage, "en">, () => Promise<{ readonly tables: WordTables }>>
> = {
  nl: () => import("./tables/nl.ts"),
  fr: () => import("./tables/fr.ts"),
  de: () => import("./tables/de.ts"),
  es: () => import("./tables/es.ts"),
};

const chosen = new Map<string, object>();
let translated: WordTables = {};

/**
 * Returns the words of a table in the reader's language, and English until `loadWords` has loaded that language. `path`
 * is the path of the table below the console's folder, such as `pages/home/words`. The members change when the language
 * arrives, so modules that load before it read them only in functions.
 */
export function chooseWords<Words extends object>(path: string, english: Words): Words {
  const words = { ...english };
  chosen.set(path, words);
  Object.assign(words, translated[path]?.words);
  return words;
}

/**
 * Loads the words of the reader's language, which are one script for the whole console. The words stay English if that
 * script cannot be loaded; the browser's console says so.
 */
export async function loadWords(): Promise<void> {
  if (readerLanguage === "en") return;
  try {
    const { tables } = await loaders[readerLanguage]();
    translated = tables;
    for (const [path, words] of chosen) Object.assign(words, tables[path]?.words);
  } catch (failure) {
    console.error(`The words in "${readerLanguage}" could not be loaded:`, failure);
  }
}
