import { readerLocale } from "./formats.ts";

type Texts = Readonly<Record<string, unknown>>;

/**
 * Returns a stored text with another one in the language in which the reader reads it: its own where it has a text,
 * else English. An empty text is taken out; null when no language has one.
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
