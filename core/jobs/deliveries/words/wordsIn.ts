import { arabic } from "./arabic.ts";
import { dutch } from "./dutch.ts";
import { english } from "./english.ts";
import { french } from "./french.ts";
import { german } from "./german.ts";
import { hebrew } from "./hebrew.ts";
import { italian } from "./italian.ts";
import { japanese } from "./japanese.ts";
import { portuguese } from "./portuguese.ts";
import { spanish } from "./spanish.ts";
import type { MessageWords } from "./messageWords.ts";

/** The languages of messages. Readers of other languages get English words around data in their own format. */
export const messageLanguages = {
  ar: arabic,
  de: german,
  en: english,
  es: spanish,
  fr: french,
  he: hebrew,
  it: italian,
  ja: japanese,
  nl: dutch,
  pt: portuguese,
} as const satisfies Readonly<Record<string, MessageWords>>;

const byLanguage: Readonly<Partial<Record<string, MessageWords>>> = messageLanguages;

/** Returns the words of a locale's language; English if the language is not available. */
export function wordsIn(locale: string): MessageWords {
  const [language = ""] = locale.toLowerCase().split("-");
  return (Object.hasOwn(byLanguage, language) ? byLanguage[language] : undefined) ?? english;
}

const rightToLeft: readonly string[] = ["ar", "he"];

/** Returns the direction of text in a message. It follows the words, which may be English. */
export function directionOf(locale: string): "ltr" | "rtl" {
  const [language = ""] = locale.toLowerCase().split("-");
  return rightToLeft.includes(language) ? "rtl" : "ltr";
}
