import { languageOf, type Language } from "../../web/charts/index.ts";
import { english, type ExportWords } from "./exportWords.ts";
import { dutch } from "./words/nl.ts";
import { french } from "./words/fr.ts";
import { german } from "./words/de.ts";
import { spanish } from "./words/es.ts";
import { italian } from "./words/it.ts";
import { portuguese } from "./words/pt.ts";
import { arabic } from "./words/ar.ts";
import { hebrew } from "./words/he.ts";
import { japanese } from "./words/ja.ts";

const all: Readonly<Record<Language, ExportWords>> = {
  en: english,
  nl: dutch,
  fr: french,
  de: german,
  es: spanish,
  it: italian,
  pt: portuguese,
  ar: arabic,
  he: hebrew,
  ja: japanese,
};

/** Returns the words of a language; English if the language is not available. */
export function exportWordsOf(localeId: string): ExportWords {
  return all[languageOf(localeId)];
}
