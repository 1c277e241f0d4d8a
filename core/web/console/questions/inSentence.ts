import { questionWords } from "./questionWords.ts";

/**
 * Returns the name of a column as it stands inside a sentence: "Order_Date" becomes "order date". Abbreviations such as
 * "GDP" keep their capitals. In languages that capitalize nouns, all names do.
 */
export function inSentence(name: string, { hasCapitalNouns } = questionWords): string {
  const spaced = name.replaceAll(/[_\s]+|(?<=\p{L})\.(?=\p{L})/gu, " ").trim();
  if (hasCapitalNouns) return spaced;
  return spaced.replaceAll(/\p{Lu}\p{Ll}+/gu, (word, at: number) =>
    at === 0 || spaced[at - 1] === " " ? word.toLocaleLowerCase() : word,
  );
}
