import { Dictionary } from "../column/texts/dictionary.ts";
import { mapCodesByRow, mapNumbersByRow } from "../joins/mapByRow.ts";
import { findRows, indexRows } from "../joins/rowIndex.ts";
import { matchCodes, rowsByText } from "../joins/rowsByText.ts";
import { mergeTexts } from "./mergeTexts.ts";

const roundCount = 24;
const textCount = 1500;
/** How many are ordered first, so that the others are merged into them. */
const firstCount = 1100;
const beginnings = ["item-", "Ärger ", "", "a longer beginning that many texts share "];
const endings = ["", "", " and", " and more"];
const joined = { table: "warming", name: "id", type: "text" } as const;

/**
 * Fills, orders, reads and joins dictionaries of its own often enough that V8 has optimized what a plan does with the
 * texts of a column that nobody asked for before, and with the rows that it is joined to. Pauses after each, some
 * milliseconds.
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
    for (const match of ["contains", "startsWith", "endsWith"] as const)
      dictionary.match(textCount, match, String(round));
    dictionary.codeOf(dictionary.texts[round]);
    // Of another beginning hardly a text is found, of its own each.
    for (const left of [before, dictionary]) join(left, dictionary);
    mergeTexts(round);
    before = dictionary;
  }
}

/**
 * Follows texts, from either side and to fewer, and numbers of a range and of none, to rows that hold them; some rows
 * are null, and some texts are found nowhere.
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
