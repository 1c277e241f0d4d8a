/**
 * Returns a stored string for a reader: in the language of the locale, in that language without its region, in English,
 * or in the first language that has one. A string without languages is returned as it is; empty when there is none.
 */
export function localizedText(stored: unknown, localeId: string): string {
  if (typeof stored === "string") return stored;
  if (typeof stored !== "object" || stored === null || Array.isArray(stored)) return "";
  const byLanguage = new Map<string, unknown>(Object.entries(stored));
  const [language = ""] = localeId.split("-");
  const texts = [localeId, language, "en"].map((each) => byLanguage.get(each));
  const found = [...texts, ...byLanguage.values()].find(
    (each) => typeof each === "string" && each !== "",
  );
  return typeof found === "string" ? found : "";
}
