/** The reader's languages, first the one that the reader likes best. */
const wanted: readonly string[] = navigator.languages.length > 0 ? navigator.languages : ["en"];

/**
 * Returns the words of a page in the reader's language: of the region, of the language, else English. A page keeps its
 * words in one file, so that another language is one more member.
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
