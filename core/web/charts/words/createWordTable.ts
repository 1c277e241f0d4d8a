import { languageOf, type Language } from "./languages.ts";

/** The words of a part of the product in every language. */
export interface WordTable<Words> {
  /** Returns the words for a locale. They are English until the language is loaded. */
  of(localeId: string): Words;
  isLoaded(localeId: string): boolean;
  /** Loads the language of a locale, once. Rejects if the script cannot be loaded; the next call tries again. */
  load(localeId: string): Promise<void>;
}

/** The modules of all languages but English. The compiler names a language that is missing. */
export type WordLoaders<Words> = Readonly<
  Record<Exclude<Language, "en">, () => Promise<{ readonly words: Words }>>
>;

/** Creates a word table. Readers load only their own language; English is always there. */
export function createWordTable<Words>(
  english: Words,
  loaders: WordLoaders<Words>,
): WordTable<Words> {
  const loaded = new Map<Language, Words>([["en", english]]);
  return {
    of: (localeId) => loaded.get(languageOf(localeId)) ?? english,
    isLoaded: (localeId) => loaded.has(languageOf(localeId)),
    async load(localeId) {
      const language = languageOf(localeId);
      if (language === "en" || loaded.has(language)) return;
      const { words } = await loaders[language]();
      loaded.set(language, words);
    },
  };
}
