import { cleanText } from "../text/cleanText.ts";
import { objectOf } from "./readItem.ts";

/** Returns a stored text in a language: its own, the one of the language without its region, English, or the first. */
export function textIn(stored: unknown, localeId: string): string {
  if (typeof stored === "string") return cleanText(stored);
  const byLanguage = objectOf(stored);
  const language = localeId.split("-")[0] ?? "";
  const texts = [
    byLanguage[localeId],
    byLanguage[language],
    byLanguage["en"],
    ...Object.values(byLanguage),
  ];
  const found = texts.find((each) => typeof each === "string" && each !== "");
  return typeof found === "string" ? cleanText(found) : "";
}
