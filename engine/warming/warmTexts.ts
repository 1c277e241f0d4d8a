import { Dictionary } from "../column/dictionary.ts";

const roundCount = 24;
const textCount = 1500;
/** How many are ordered first, so that the others are merged into them. */
const firstCount = 1100;
const beginnings = ["item-", "Ärger ", "", "a longer beginning that many texts share "];
const endings = ["", "", " and", " and more"];

/**
 * Fills, orders, reads and joins dictionaries of its own often enough that V8 has optimized what a plan does with the texts of a
 * column that nobody asked for before. Pauses after each, some milliseconds.
 */
export async function warmTexts(isFree: () => Promise<boolean>): Promise<void> {
  let before = new Dictionary(["any text"]);
  for (let round = 0; round < roundCount && (await isFree()); round++) {
    const dictionary = new Dictionary();
    const beginning = beginnings[round % beginnings.length];
    for (let index = 0; index < textCount; index++) {
      // Texts that come in order go a way of their own.
      const number = round % 3 === 0 ? 100_000 + index : (index * 7919) % 100_003;
      dictionary.encode(`${beginning}${number}${endings[(number + round) % endings.length]}`);
      if (index === firstCount) dictionary.order();
    }
    dictionary.order();
    dictionary.match(textCount, "contains", String(round));
    dictionary.codeOf(dictionary.texts[round]);
    for (let code = 0; code < textCount; code++) before.codeOfOther(dictionary, code);
    before = dictionary;
  }
}
