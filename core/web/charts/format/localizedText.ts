/**
 * Returns a stored string in the reader's language: for the locale, for its language without the region, in English, or
 * in the first available language. A plain string is returned unchanged. Returns an empty string if there is no text.
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
