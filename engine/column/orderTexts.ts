/** Texts as bytes of UTF-8, one behind the other; `ends[code]` is where the text of a code ends. */
export interface TextBytesView {
  readonly bytes: Uint8Array;
  readonly ends: Uint32Array;
}

/** Texts that are few enough to be put in place one by one. */
const fewTexts = 12;
/** Bits that a double counts exactly. */
const exactBits = 53;

/**
 * Lists the codes from `first` to below `until` in the order of their bytes, which for UTF-8 is that of code points. Sorts by the
 * next 2 to 6 bytes of each text at a time, as doubles that carry the place of their text, so no strings are made and
 * nothing is called back. O(n log n) for each few bytes beyond what neighbours share; 24 bytes a text meanwhile.
 */
export function orderTexts(texts: TextBytesView, first: number, until: number): Int32Array {
  const codes = new Int32Array(until - first);
  for (let index = 0; index < codes.length; index++) codes[index] = first + index;
  // A list, since runs nest as deep as texts share their beginnings.
  const runs: Run[] = [{ codes, offset: 0 }];
  for (let run = runs.pop(); run; run = runs.pop()) sortRun(texts, run, runs);
  return codes;
}

/** Codes that are to be put in order where they lie; the first `offset` bytes of their texts are the same. */
interface Run {
  readonly codes: Int32Array;
  readonly offset: number;
}

/** Compares the bytes of two texts: negative, 0 or positive. */
export function compareBytes({ bytes, ends }: TextBytesView, left: number, right: number): number {
  const leftEnd = ends[left];
  const rightEnd = ends[right];
  let at = startOf(ends, left);
  let other = startOf(ends, right);
  while (at < leftEnd && other < rightEnd) {
    const difference = bytes[at++] - bytes[other++];
    if (difference !== 0) return difference;
  }
  return leftEnd - at - (rightEnd - other);
}

/** Sorts a run by the bytes that follow, and adds the runs in which these are the same. */
function sortRun(texts: TextBytesView, { codes, offset }: Run, runs: Run[]): void {
  if (codes.length <= fewTexts) return insertEach(texts, codes);
  const from = offset + sharedBytes(texts, codes, offset);
  const ended = takeEnded(texts, codes, from);
  const rest = codes.subarray(ended);
  if (rest.length <= fewTexts) return insertEach(texts, rest);

  const placeCount = 2 ** Math.ceil(Math.log2(rest.length));
  const byteCount = Math.min(6, Math.floor((exactBits - Math.log2(placeCount)) / 8));
  const keys = new Float64Array(rest.length);
  const { bytes, ends } = texts;
  for (let place = 0; place < rest.length; place++) {
    const code = rest[place];
    const at = startOf(ends, code) + from;
    const end = ends[code];
    let prefix = 0;
    for (let index = 0; index < byteCount; index++)
      prefix = prefix * 256 + (at + index < end ? bytes[at + index] : 0);
    keys[place] = prefix * placeCount + place;
  }
  keys.sort();
  const unsorted = rest.slice();
  let runStart = 0;
  let runPrefix = -1;
  for (let index = 0; index <= keys.length; index++) {
    const key = keys[index];
    const prefix = index < keys.length ? Math.floor(key / placeCount) : -1;
    if (prefix !== runPrefix) {
      if (index - runStart > 1)
        runs.push({ codes: rest.subarray(runStart, index), offset: from + byteCount });
      runStart = index;
      runPrefix = prefix;
    }
    if (index < keys.length) rest[index] = unsorted[key - prefix * placeCount];
  }
}

/** Counts the bytes behind the first `offset` that all texts share. */
function sharedBytes({ bytes, ends }: TextBytesView, codes: Int32Array, offset: number): number {
  // No more than the shortest has, so that each level looks only at bytes that no later one does.
  let shared = Infinity;
  for (let index = 0; index < codes.length; index++) {
    const code = codes[index];
    shared = Math.min(shared, Math.max(0, ends[code] - startOf(ends, code) - offset));
  }
  const model = startOf(ends, codes[0]) + offset;
  for (let index = 1; index < codes.length && shared > 0; index++) {
    const at = startOf(ends, codes[index]) + offset;
    let same = 0;
    while (same < shared && bytes[model + same] === bytes[at + same]) same++;
    shared = same;
  }
  return shared;
}

/** Moves the texts that have no byte behind the first `offset` to the front, shortest first, and returns how many they are. What they lack was read as zeros. */
function takeEnded({ ends }: TextBytesView, codes: Int32Array, offset: number): number {
  const lengthOf = (code: number) => ends[code] - startOf(ends, code);
  const ended = codes.filter((code) => lengthOf(code) <= offset);
  if (ended.length === 0) return 0;
  ended.sort((left, right) => lengthOf(left) - lengthOf(right));
  const others = codes.filter((code) => lengthOf(code) > offset);
  codes.set(ended);
  codes.set(others, ended.length);
  return ended.length;
}

function insertEach(texts: TextBytesView, codes: Int32Array): void {
  for (let index = 1; index < codes.length; index++) {
    const code = codes[index];
    let place = index;
    for (; place > 0 && compareBytes(texts, codes[place - 1], code) > 0; place--)
      codes[place] = codes[place - 1];
    codes[place] = code;
  }
}

function startOf(ends: Uint32Array, code: number): number {
  return code === 0 ? 0 : ends[code - 1];
}
