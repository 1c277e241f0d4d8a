import { readerLocale } from "./readerLanguage.ts";

type Texts = Readonly<Record<string, unknown>>;

/**
 * Returns a localized string with one translation replaced: the reader's language if it has a translation, otherwise
 * English. An empty string removes the translation. Returns null if no translation remains.
 */
export function withText(stored: unknown, text: string): Texts | null {
  const byLanguage: Texts =
    typeof stored === "object" && stored !== null
      ? { ...stored }
      : typeof stored === "string" && stored !== ""
        ? { en: stored }
        : {};
  const language = readerLocale.split("-")[0] ?? "";
  const own = [readerLocale, language, "en"].find((each) => byLanguage[each]) ?? "en";
  const { [own]: _, ...others } = byLanguage;
  const texts = text === "" ? others : { ...others, [own]: text };
  return Object.values(texts).some((each) => each !== "") ? texts : null;
}
