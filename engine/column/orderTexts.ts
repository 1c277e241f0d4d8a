import { compareBytes, startOf, type TextBytesView } from "./compareBytes.ts";
import { keyTexts, manyBytes, manyTexts, type TextKeys, type TextRun } from "./keyTexts.ts";
import { sortByKeys } from "./sortByKeys.ts";

/** Texts that are few enough to be put in place one by one. */
const fewTexts = 12;

/**
 * Lists the codes from `first` to below `until`, of distinct texts, in the order of their bytes, which for UTF-8 is that of
 * code points. One pass where they are in order; else a radix sort by numbers that stand for the next few bytes behind what
 * all texts share, again for those whose bytes were the same. No strings are made and nothing is called back. Linear in the
 * bytes that tell neighbours apart; 16 bytes a text meanwhile.
 */
export function orderTexts(texts: TextBytesView, first: number, until: number): Int32Array {
  const count = until - first;
  const codes = new Int32Array(count);
  for (let index = 0; index < count; index++) codes[index] = first + index;
  if (isAscending(texts, first, until)) return codes;
  const keyed: TextKeys = {
    codes,
    keys: new Int32Array(count),
    spareCodes: new Int32Array(count),
    spareKeys: new Int32Array(count),
  };
  // A list, since runs nest as deep as texts share their beginnings.
  const runs: TextRun[] = [{ start: 0, end: count, offset: 0 }];
  for (let run = runs.pop(); run; run = runs.pop()) sortRun(texts, keyed, run, runs);
  return codes;
}

function isAscending(texts: TextBytesView, first: number, until: number): boolean {
  const { bytes, ends } = texts;
  const words = new DataView(bytes.buffer, bytes.byteOffset, bytes.length);
  for (let code = first + 1; code < until; code++) {
    const before = startOf(ends, code - 1);
    const at = ends[code - 1];
    const shorter = Math.min(at - before, ends[code] - at);
    let same = 0;
    while (same + 4 <= shorter && words.getInt32(before + same) === words.getInt32(at + same))
      same += 4;
    if (compareBytes(texts, code - 1, code, same) > 0) return false;
  }
  return true;
}

/** Sorts a run by the bytes that follow, and adds the runs in which these are the same. */
function sortRun(texts: TextBytesView, keyed: TextKeys, run: TextRun, runs: TextRun[]): void {
  const { codes, keys } = keyed;
  const { start, end, offset } = run;
  if (end - start <= fewTexts) return insertEach(texts, codes, run);
  const from = offset + sharedBytes(texts, codes, run);
  const { byteCount, bitCount } = keyTexts(texts, keyed, { start, end, offset: from });
  sortByKeys(keyed, start, end, bitCount);
  for (let index = start; index < end;) {
    const key = keys[index];
    const runStart = index++;
    while (index < end && keys[index] === key) index++;
    if (index - runStart > 1) runs.push({ start: runStart, end: index, offset: from + byteCount });
  }
}

/** Counts the bytes behind the first `offset` that all texts of a run share, or fewer where keys of as many bytes as can be then end within the shortest. */
function sharedBytes({ bytes, ends }: TextBytesView, codes: Int32Array, run: TextRun): number {
  const { start, end, offset } = run;
  const words = new DataView(bytes.buffer, bytes.byteOffset, bytes.length);
  const model = startOf(ends, codes[start]) + offset;
  let shared = ends[codes[start]] - model;
  // No further than the shortest goes, so that each level looks only at bytes that no later one does.
  for (let index = start + 1; index < end; index++) {
    const code = codes[index];
    const length = ends[code] - startOf(ends, code) - offset;
    if (length < shared) shared = length;
  }
  const shortest = shared;
  for (let index = start + 1; index < end && shared > 0; index++) {
    const at = startOf(ends, codes[index]) + offset;
    let same = 0;
    while (same + 4 <= shared && words.getInt32(model + same) === words.getInt32(at + same))
      same += 4;
    const last = shared - 4;
    if (same > last && last >= 0 && words.getInt32(model + last) === words.getInt32(at + last))
      continue;
    while (same < shared && bytes[model + same] === bytes[at + same]) same++;
    shared = same;
  }
  // Keys are fastest of texts that all have the bytes; not where one ends, whose end tells it from others.
  const isMet = end - start < manyTexts || shared === shortest;
  return isMet ? shared : Math.min(shared, Math.max(0, shortest - manyBytes));
}

function insertEach(
  texts: TextBytesView,
  codes: Int32Array,
  { start, end, offset }: TextRun,
): void {
  for (let index = start + 1; index < end; index++) {
    const code = codes[index];
    let place = index;
    for (; place > start && compareBytes(texts, codes[place - 1], code, offset) > 0; place--)
      codes[place] = codes[place - 1];
    codes[place] = code;
  }
}
