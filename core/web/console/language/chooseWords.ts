/** The reader's languages, in order of preference. */
const wanted: readonly string[] = navigator.languages.length > 0 ? navigator.languages : ["en"];

/**
 * Returns the strings of a page in the reader's language: the member for the language and region, for the language, or
 * `en`. Each page keeps its strings in one file, so adding a language means adding one member.
 */
export function chooseWords<Words>(
  byLanguage: { readonly en: Words } & Readonly<Record<string, Words>>,
): Words {
  for (const each of wanted) {
    const found = byLanguage[each] ?? byLanguage[each.split("-")[0] ?? ""];
    if (found !== undefined) return found;
  }
  return byLanguage.en;
}
