/** Maximum number of strings that are sorted by insertion. */
const few: i32 = 12;
/**
 * Number of bytes that a key covers: `manyBytes` in runs of at least `many` strings, and `fewerBytes` in shorter runs.
 * In a short run, building the tables for more bytes costs more than another round.
 */
const many: i32 = 1000;
const manyBytes: i32 = 12;
const fewerBytes: i32 = 4;
/**
 * The number of possible keys that a run should have per string, as a power of two. More than one is needed because
 * strings are distributed unevenly. All keys are below 2^keyBits.
 */
const spareBits: u64 = 20;
const keyBits: u64 = 44;
/**
 * Number of bits sorted per pass: as many as possible while the counters and the output still fit in the first-level
 * cache.
 */
const mostBits: i32 = 11;
const fewestBits: i32 = 4;

/**
 * Three tables: the amount that each byte adds to a key (8 bytes for each position and value), the number of distinct
 * values at each position, and the start positions of a pass.
 */
const valueCountsAt: usize = (<usize>manyBytes) << 11;
const placesAt: usize = valueCountsAt + 128;

function startOf(starts: usize, code: u32): usize {
  return load<u32>(starts + ((<usize>code) << 2));
}

function endOf(starts: usize, code: u32): usize {
  return load<u32>(starts + ((<usize>code) << 2), 4);
}

/** Counts how many bytes, starting at two addresses, are equal before the first difference, up to `length`. */
function countSame(left: usize, right: usize, length: usize): usize {
  let same: usize = 0;
  for (; same < length; same += 8) {
    const difference = load<u64>(left + same) ^ load<u64>(right + same);
    if (difference !== 0) return min<usize>(same + <usize>(ctz(difference) >> 3), length);
  }
  return length;
}

/** Returns whether the left string is greater than the right one, given that their first `offset` bytes are equal. */
function isBehind(bytes: usize, starts: usize, left: u32, right: u32, offset: usize): bool {
  const from = startOf(starts, left) + offset;
  const other = startOf(starts, right) + offset;
  const length = endOf(starts, left) - from;
  const otherLength = endOf(starts, right) - other;
  const shorter = min<usize>(length, otherLength);
  const same = countSame(bytes + from, bytes + other, shorter);
  if (same === shorter) return length > otherLength;
  return load<u8>(bytes + from + same) > load<u8>(bytes + other + same);
}

function insertEach(
  bytes: usize,
  starts: usize,
  codes: usize,
  start: i32,
  end: i32,
  offset: usize,
): void {
  for (let index = start + 1; index < end; index++) {
    const code = load<u32>(codes + ((<usize>index) << 2));
    let place = index;
    for (; place > start; place--) {
      const before = load<u32>(codes + ((<usize>(place - 1)) << 2));
      if (!isBehind(bytes, starts, before, code, offset)) break;
      store<u32>(codes + ((<usize>place) << 2), before);
    }
    store<u32>(codes + ((<usize>place) << 2), code);
  }
}

/** Counts the bytes, after the first `offset`, that are equal in all strings of a run. */
function sharedBytes(
  bytes: usize,
  starts: usize,
  codes: usize,
  start: i32,
  end: i32,
  offset: usize,
): usize {
  const first = load<u32>(codes + ((<usize>start) << 2));
  const model = startOf(starts, first) + offset;
  let shared = endOf(starts, first) - model;
  for (let index = start + 1; index < end && shared > 0; index++) {
    const code = load<u32>(codes + ((<usize>index) << 2));
    const at = startOf(starts, code) + offset;
    shared = countSame(bytes + model, bytes + at, min<usize>(shared, endOf(starts, code) - at));
  }
  return shared;
}

/** Marks the byte values that occur at each position. */
function markBytes(
  bytes: usize,
  starts: usize,
  codes: usize,
  start: i32,
  end: i32,
  from: usize,
  width: i32,
  tables: usize,
): void {
  memory.fill(tables, 0, (<usize>width) << 11);
  for (let index = start; index < end; index++) {
    const code = load<u32>(codes + ((<usize>index) << 2));
    const at = startOf(starts, code) + from;
    const length = min<usize>(<usize>width, endOf(starts, code) - at);
    for (let place: usize = 0; place < length; place++) {
      const value = <usize>load<u8>(bytes + at + place);
      store<u64>(tables + (place << 11) + (value << 3), 1);
    }
  }
}

/**
 * Converts the marks to the amount that each byte adds to a key. Covers bytes until there are as many keys as wanted.
 * Returns the number of covered bytes in the low bits, and the number of bits of a key in higher bits.
 */
function shareKeys(tables: usize, width: i32, textCount: i32): i32 {
  let byteCount: i32 = 0;
  let keyCount: u64 = 1;
  while (byteCount < width && keyCount < (<u64>textCount) << spareBits) {
    let valueCount: u64 = 1;
    const row = tables + ((<usize>byteCount) << 11);
    for (let value: usize = 0; value < 256; value++) valueCount += load<u64>(row + (value << 3));
    if (keyCount * valueCount > (<u64>1) << keyBits) break;
    keyCount *= valueCount;
    store<u64>(tables + valueCountsAt + ((<usize>byteCount) << 3), valueCount);
    byteCount++;
  }
  let weight: u64 = 1;
  for (let place = byteCount - 1; place >= 0; place--) {
    let total: u64 = 0;
    const row = tables + ((<usize>place) << 11);
    for (let value: usize = 0; value < 256; value++) {
      total += load<u64>(row + (value << 3)) * weight;
      store<u64>(row + (value << 3), total);
    }
    weight *= load<u64>(tables + valueCountsAt + ((<usize>place) << 3));
  }
  return byteCount | ((64 - <i32>clz(keyCount - 1)) << 8);
}

function makeKeys(
  bytes: usize,
  starts: usize,
  codes: usize,
  keys: usize,
  start: i32,
  end: i32,
  from: usize,
  byteCount: i32,
  tables: usize,
): void {
  for (let index = start; index < end; index++) {
    const code = load<u32>(codes + ((<usize>index) << 2));
    const at = startOf(starts, code) + from;
    const length = min<usize>(<usize>byteCount, endOf(starts, code) - at);
    let key: u64 = 0;
    for (let place: usize = 0; place < length; place++) {
      const value = <usize>load<u8>(bytes + at + place);
      key += load<u64>(tables + (place << 11) + (value << 3));
    }
    store<u64>(keys + ((<usize>index) << 3), key);
  }
}

function sortByDigit(
  codes: usize,
  keys: usize,
  toCodes: usize,
  toKeys: usize,
  start: i32,
  end: i32,
  shift: u64,
  valueCount: i32,
  places: usize,
): void {
  const mask = <u64>(valueCount - 1);
  memory.fill(places, 0, (<usize>valueCount) << 2);
  for (let index = start; index < end; index++) {
    const digit = <usize>((load<u64>(keys + ((<usize>index) << 3)) >> shift) & mask);
    const at = places + (digit << 2);
    store<i32>(at, load<i32>(at) + 1);
  }
  let place = start;
  for (let value: i32 = 0; value < valueCount; value++) {
    const at = places + ((<usize>value) << 2);
    const count = load<i32>(at);
    store<i32>(at, place);
    place += count;
  }
  for (let index = start; index < end; index++) {
    const key = load<u64>(keys + ((<usize>index) << 3));
    const at = places + ((<usize>((key >> shift) & mask)) << 2);
    const to = load<i32>(at);
    store<i32>(at, to + 1);
    store<u64>(toKeys + ((<usize>to) << 3), key);
    store<u32>(toCodes + ((<usize>to) << 2), load<u32>(codes + ((<usize>index) << 2)));
  }
}

/** Radix sort, starting with the lowest bits. */
function sortByKeys(
  codes: usize,
  keys: usize,
  spareCodes: usize,
  spareKeys: usize,
  start: i32,
  end: i32,
  bitCount: i32,
  places: usize,
): void {
  // Uses at most twice as many counters as strings.
  const widest = max(fewestBits, min(mostBits, 33 - clz<i32>(end - start)));
  const passCount = (bitCount + widest - 1) / widest;
  const width = (bitCount + passCount - 1) / passCount;
  for (let pass: i32 = 0; pass < passCount; pass++) {
    const shift = <u64>(pass * width);
    if ((pass & 1) === 0)
      sortByDigit(codes, keys, spareCodes, spareKeys, start, end, shift, 1 << width, places);
    else sortByDigit(spareCodes, spareKeys, codes, keys, start, end, shift, 1 << width, places);
  }
  if ((passCount & 1) === 0) return;
  const count = <usize>(end - start);
  const first = <usize>start;
  memory.copy(codes + (first << 2), spareCodes + (first << 2), count << 2);
  memory.copy(keys + (first << 3), spareKeys + (first << 3), count << 3);
}

function isAscending(bytes: usize, starts: usize, count: i32): bool {
  for (let code: i32 = 1; code < count; code++)
    if (isBehind(bytes, starts, code - 1, code, 0)) return false;
  return true;
}

/**
 * Runs of strings whose next bytes are equal wait in a list. The list has at most half as many runs as there are
 * strings, and takes 12 bytes per run. The digit of a byte is its rank among the bytes that occur at its position, or 0
 * if a string has ended. For example, ten different digits take 3.5 bits instead of 8. Distinct strings with the same
 * key contain all bytes of the key.
 */
export function orderTexts(
  bytes: usize,
  starts: usize,
  count: i32,
  codes: usize,
  spareCodes: usize,
  keys: usize,
  spareKeys: usize,
  tables: usize,
  runs: usize,
): void {
  for (let code: i32 = 0; code < count; code++) store<i32>(codes + ((<usize>code) << 2), code);
  if (isAscending(bytes, starts, count)) return;
  let waiting = runs;
  let start: i32 = 0;
  let end = count;
  let offset: usize = 0;
  for (;;) {
    if (end - start <= few) insertEach(bytes, starts, codes, start, end, offset);
    else {
      const from = offset + sharedBytes(bytes, starts, codes, start, end, offset);
      const width = end - start < many ? fewerBytes : manyBytes;
      markBytes(bytes, starts, codes, start, end, from, width, tables);
      const shared = shareKeys(tables, width, end - start);
      const byteCount = shared & 0xff;
      makeKeys(bytes, starts, codes, keys, start, end, from, byteCount, tables);
      sortByKeys(codes, keys, spareCodes, spareKeys, start, end, shared >> 8, tables + placesAt);
      for (let index = start; index < end;) {
        const key = load<u64>(keys + ((<usize>index) << 3));
        const first = index++;
        while (index < end && load<u64>(keys + ((<usize>index) << 3)) === key) index++;
        if (index - first > 1) {
          store<i32>(waiting, first);
          store<i32>(waiting, index, 4);
          store<u32>(waiting, <u32>from + <u32>byteCount, 8);
          waiting += 12;
        }
      }
    }
    if (waiting === runs) return;
    waiting -= 12;
    start = load<i32>(waiting);
    end = load<i32>(waiting, 4);
    offset = <usize>load<u32>(waiting, 8);
  }
}
