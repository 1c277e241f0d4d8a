import type { TextKeys } from "./keyTexts.ts";

/** Bits that a pass sorts by: as many counts as fit the first cache beside what is written. */
const mostBits = 11;
const fewestBits = 4;

const places = new Int32Array(2 ** mostBits);

/** Sorts the places from `start` to below `end` by their keys of `bitCount` bits: a radix sort from the lowest bits, codes with equal keys stay as they are. */
export function sortByKeys(
  { codes, keys, spareCodes, spareKeys }: TextKeys,
  start: number,
  end: number,
  bitCount: number,
): void {
  // No more counts than twice the texts.
  const widest = Math.max(fewestBits, Math.min(mostBits, 33 - Math.clz32(end - start)));
  const passCount = Math.ceil(bitCount / widest);
  const width = Math.ceil(bitCount / passCount);
  let from = { codes, keys };
  let to = { codes: spareCodes, keys: spareKeys };
  for (let pass = 0; pass < passCount; pass++) {
    sortByDigit(from, to, start, end, pass * width, 2 ** width);
    [from, to] = [to, from];
  }
  if (passCount % 2 === 0) return;
  codes.set(spareCodes.subarray(start, end), start);
  keys.set(spareKeys.subarray(start, end), start);
}

type Keyed = Pick<TextKeys, "codes" | "keys">;

function sortByDigit(
  from: Keyed,
  to: Keyed,
  start: number,
  end: number,
  shift: number,
  valueCount: number,
): void {
  const { keys, codes } = from;
  const { keys: sortedKeys, codes: sortedCodes } = to;
  const mask = valueCount - 1;
  places.fill(0, 0, valueCount);
  for (let index = start; index < end; index++) places[(keys[index] >>> shift) & mask]++;
  for (let value = 0, place = start; value < valueCount; value++) {
    const count = places[value];
    places[value] = place;
    place += count;
  }
  for (let index = start; index < end; index++) {
    const key = keys[index];
    const place = places[(key >>> shift) & mask]++;
    sortedKeys[place] = key;
    sortedCodes[place] = codes[index];
  }
}
