import { Dictionary } from "../column/texts/dictionary.ts";
import { mapCodesByRow, mapNumbersByRow } from "../joins/mapByRow.ts";
import { findRows, indexRows } from "../joins/rowIndex.ts";
import { matchCodes, rowsByText } from "../joins/rowsByText.ts";
import { mergeTexts } from "./mergeTexts.ts";

const roundCount = 24;
const textCount = 1500;
/** Number of strings that are ordered first. The other strings are merged into their order. */
const firstCount = 1100;
const beginnings = ["item-", "Ärger ", "", "a longer beginning that many texts share "];
const endings = ["", "", " and", " and more"];
const joined = { table: "warming", name: "id", type: "text" } as const;

/**
 * Fills, orders, reads and joins internal dictionaries until V8 has optimized the code that plans first run for a text
 * column and for joined rows. Yields after each round of some milliseconds.
 */
export async function warmTexts(isFree: () => Promise<boolean>): Promise<void> {
  let before = new Dictionary(["any text"]);
  for (let round = 0; round < roundCount && (await isFree()); round++) {
    const dictionary = new Dictionary();
    const beginning = beginnings[round % beginnings.length];
    for (let index = 0; index < textCount; index++) {
      // Strings that arrive in order use a different branch.
      const number = round % 3 === 0 ? 100_000 + index : (index * 7919) % 100_003;
      dictionary.encode(`${beginning}${number}${endings[(number + round) % endings.length]}`);
      if (index === firstCount) dictionary.order();
    }
    dictionary.order();
    for (const match of ["contains", "startsWith", "endsWith"] as const)
      dictionary.match(textCount, match, String(round));
    dictionary.codeOf(dictionary.texts[round]);
    // The previous dictionary has another prefix, so few of its strings match, but the dictionary matches itself
    // completely.
    for (const left of [before, dictionary]) join(left, dictionary);
    mergeTexts(round);
    before = dictionary;
  }
}

/**
 * Joins strings to larger and to smaller dictionaries, and whole and fractional numbers to the rows that contain them.
 * Some rows are null, and some strings have no match.
 */
function join(left: Dictionary, right: Dictionary): void {
  const codes = Int32Array.from({ length: textCount }, (_, row) => (row % 16 === 0 ? 0 : row + 1));
  const numbers = Float64Array.from(codes, (code, row) => (code === 0 ? NaN : row));
  const found = new Int32Array(textCount);
  for (const leftCount of [left.size, Math.ceil(left.size / 2)]) {
    const known = { dictionary: left, textCount: leftCount };
    const other = { dictionary: right, textCount };
    const rows = rowsByText(matchCodes(known, other), other, codes, joined);
    mapCodesByRow(rows, codes);
    mapNumbersByRow(rows, numbers);
  }
  for (const values of [numbers, numbers.map((value) => value / 8)])
    findRows(indexRows(values, joined), values, textCount, found);
}
