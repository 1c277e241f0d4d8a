/** The languages in which the words of pictures, pages and messages are available. */
export const languages = ["en", "nl", "fr", "de", "es", "it", "pt", "ar", "he", "ja"] as const;

/** A language in which words are available, as an ISO 639 code. */
export type Language = (typeof languages)[number];

/** Languages that are written from right to left. Their names and numbers come from `Intl`, even without words. */
const fromTheRight: ReadonlySet<string> = new Set([
  "ar",
  "arc",
  "ckb",
  "dv",
  "fa",
  "he",
  "ks",
  "ps",
  "sd",
  "ug",
  "ur",
  "yi",
]);

/** Returns the language of a locale such as `nl-BE`; English if no words are available in that language. */
export function languageOf(localeId: string): Language {
  const language = partOf(localeId);
  return languages.find((each) => each === language) ?? "en";
}

/** Returns the direction in which the language of a locale is written. */
export function directionOf(localeId: string): "ltr" | "rtl" {
  return fromTheRight.has(partOf(localeId)) ? "rtl" : "ltr";
}

/** Returns the language of a locale. `iw` is the former code of Hebrew. */
function partOf(localeId: string): string {
  const [language = ""] = localeId.toLowerCase().split(/[-_]/, 1);
  return language === "iw" ? "he" : language;
}
