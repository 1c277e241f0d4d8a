/** Maximum number of characters of the header. Proxies refuse longer headers. */
const mostCharacters = 4000;

/**
 * Returns the header `X-Warnings` of an answer whose format has no place for warnings: a JSON array of sentences in
 * ASCII. No header without warnings. Warnings that do not fit are counted in the last element.
 */
export function warningsHeader(warnings: readonly string[] = []): Readonly<Record<string, string>> {
  return sentencesHeader("X-Warnings", warnings, "warnings");
}

/** Returns the header `X-Filters` of a file, in the same form: the filters and parameters that a reader chose. */
export function filtersHeader(filters: readonly string[]): Readonly<Record<string, string>> {
  return sentencesHeader("X-Filters", filters, "filters");
}

function sentencesHeader(
  header: string,
  sentences: readonly string[],
  noun: string,
): Readonly<Record<string, string>> {
  if (sentences.length === 0) return {};
  for (let count = sentences.length; ; count--) {
    const left = sentences.length - count;
    const rest = left === 0 ? [] : [`${left} more ${noun}`];
    const text = asciiJson([...sentences.slice(0, count), ...rest]);
    if (text.length <= mostCharacters || count === 0) return { [header]: text };
  }
}

function asciiJson(value: readonly string[]): string {
  return JSON.stringify(value).replaceAll(
    /[^ -~]/g,
    (sign) => `\\u${sign.charCodeAt(0).toString(16).padStart(4, "0")}`,
  );
}
