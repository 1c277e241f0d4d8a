import { isObject } from "../../base/index.ts";

/**
 * Returns a text, or the text of an object by language: in the language of a locale, else in English, else the first.
 * Empty when there is none.
 */
export function textIn(value: unknown, locale = "en"): string {
  if (typeof value === "string") return value;
  if (!isObject(value)) return "";
  const [language = "en"] = locale.split("-");
  for (const each of [locale, language, "en", ...Object.keys(value)]) {
    const text = Object.hasOwn(value, each) ? value[each] : undefined;
    if (typeof text === "string" && text !== "") return text;
  }
  return "";
}

/** Returns a name by language; a plain text counts as English. */
export const namesOf = (
  name: string | Readonly<Record<string, string>>,
): Readonly<Record<string, string>> => (typeof name === "string" ? { en: name } : name);
