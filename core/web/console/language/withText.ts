import { readerLanguage, readerLocale } from "./readerLanguage.ts";

type Texts = Readonly<Record<string, unknown>>;

/**
 * Returns a localized string with one translation replaced: that of the reader's locale or language if there is one,
 * otherwise the English one. A string without translations gets one in the reader's language. An empty string removes
 * the translation. Returns null if no translation remains.
 */
export function withText(stored: unknown, text: string): Texts | null {
  const byLanguage: Texts =
    typeof stored === "object" && stored !== null
      ? { ...stored }
      : typeof stored === "string" && stored !== ""
        ? { en: stored }
        : {};
  const own =
    [readerLocale, readerLanguage, "en"].find((each) => byLanguage[each]) ?? readerLanguage;
  const { [own]: _, ...others } = byLanguage;
  const texts = text === "" ? others : { ...others, [own]: text };
  return Object.values(texts).some((each) => each !== "") ? texts : null;
}
