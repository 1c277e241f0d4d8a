import { questionWords } from "./words.ts";

/**
 * Returns the name of a column as it stands inside a sentence: "Order Date" becomes "order date". Words with other
 * capitals than the first, such as "GDP", stay. In languages that capitalize nouns, names stay unchanged.
 */
export function inSentence(name: string): string {
  if (questionWords.hasCapitalNouns) return name;
  return name
    .split(" ")
    .map((word) => (/^\p{Lu}[\p{Ll}-]*$/u.test(word) ? word.toLocaleLowerCase() : word))
    .join(" ");
}
