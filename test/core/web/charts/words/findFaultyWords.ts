import { isObject } from "../../../../../core/web/charts/index.ts";

const placeholdersOf = (template: string): string =>
  [...new Set(template.match(/\{\w+\}/g))].toSorted().join();

/** Categories of counts of rows: small ones, and those that languages distinguish in large numbers. */
const counts = [...Array(201).keys(), 1_000, 1_000_000];

/**
 * Compares the words of a language with the English words. Returns the paths of words that are missing or empty, of
 * templates with other placeholders, and of counts that lack a plural form of the language.
 */
export function findFaultyWords(
  english: unknown,
  words: unknown,
  language: string,
  path = "",
): readonly string[] {
  if (typeof english === "string") {
    const isGood = typeof words === "string" && words.trim() !== "" && words === words.normalize();
    // A language may have a word for one or two that contains no digits.
    const withoutCount = /\.(zero|one|two)$/.test(path) ? english.replace("{count}", "") : english;
    const isSame =
      isGood && [english, withoutCount].map(placeholdersOf).includes(placeholdersOf(words));
    return isSame || path.endsWith(".comma") ? [] : [path];
  }
  if (Array.isArray(english) && Array.isArray(words))
    return english.flatMap((word, index) =>
      findFaultyWords(word, words[index], language, `${path}.${index}`),
    );
  if (!isObject(english) || !isObject(words)) return [path];
  if (isObject<"other">(english) && typeof english.other === "string" && path !== "") {
    // A sentence may depend on the gender of a unit.
    if (isObject<"masculine" | "feminine">(words) && "masculine" in words)
      return ["masculine" as const, "feminine" as const].flatMap((gender) =>
        findFaultyWords(english, words[gender], language, `${path}.${gender}`),
      );
    // Sentences that have a single form in English contain the unit in the form for the count.
    const isCounted = "one" in english;
    const rules = new Intl.PluralRules(language);
    const needed = new Set(counts.map((count) => rules.select(count)));
    return Object.entries(words)
      .flatMap(([form, word]) => findFaultyWords(english.other, word, language, `${path}.${form}`))
      .concat(
        [...needed].flatMap((form) =>
          !isCounted || form in words || (form === "many" && language !== "ar")
            ? []
            : `${path}.${form}`,
        ),
      );
  }
  const found = new Map(Object.entries(words));
  return Object.entries(english).flatMap(([name, word]) =>
    findFaultyWords(word, found.get(name), language, `${path}.${name}`),
  );
}
