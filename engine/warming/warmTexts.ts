import { Dictionary } from "../column/texts/dictionary.ts";
import { mapCodesByPlace, mapNumbersByPlace } from "../joins/mapByPlace.ts";
import { findRows, indexRows } from "../joins/rowIndex.ts";
import { matchCodes, placesByText } from "../joins/placesByText.ts";
import { mergeTexts } from "./mergeTexts.ts";

const roundCount = 24;
const textCount = 1500;
/** Number of strings that are ordered first. The other strings are merged into their order. */
const firstCount = 1100;
const beginnings = ["item-", "Ärger ", "", "a longer beginning that many texts share "];
const endings = ["", "", " and", " and more"];
const joined = { table: "warming", name: "id", type: "text" } as const;

/**
 * Fills, orders, reads and joins internal dictionaries until V8 has optimized the code that prepares text columns and
 * joined rows for plans. Yields after each round, which takes a few milliseconds.
 */
export async function warmTexts(isFree: () => Promise<boolean>): Promise<void> {
  let before = new Dictionary(["any text"]);
  for (let round = 0; round < roundCount && (await isFree()); round++) {
    const dictionary = new Dictionary();
    const beginning = beginnings[round % beginnings.length];
    for (let index = 0; index < textCount; index++) {
      // Every third round adds its strings in order, because the code has a different branch for these.
      const number = round % 3 === 0 ? 100_000 + index : (index * 7919) % 100_003;
      dictionary.encode(`${beginning}${number}${endings[(number + round) % endings.length]}`);
      if (index === firstCount) dictionary.order();
    }
    dictionary.order();
    for (const match of ["contains", "startsWith", "endsWith"] as const)
      dictionary.match(textCount, match, String(round));
    dictionary.codeOf(dictionary.texts[round]);
    // The strings of the previous dictionary have another prefix, so few of them match. Joined to itself, the
    // dictionary matches completely.
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
  const found = new Uint32Array(textCount);
  for (const leftCount of [left.size, Math.ceil(left.size / 2)]) {
    const known = { dictionary: left, textCount: leftCount };
    const other = { dictionary: right, textCount };
    const places = placesByText(matchCodes(known, other), other, codes, joined);
    mapCodesByPlace(places, codes);
    mapNumbersByPlace(places, numbers);
  }
  for (const values of [numbers, numbers.map((value) => value / 8)])
    findRows(indexRows(values, joined), values, found);
}
