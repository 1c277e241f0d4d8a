export function pairKeys(low: usize, high: usize, rowCount: i32, keys: usize): void {
  for (let row: i32 = 0; row < rowCount; row += 4) {
    const lows = v128.load(low);
    const highs = v128.load(high);
    v128.store(keys, v128.shuffle<u32>(lows, highs, 0, 4, 1, 5));
    v128.store(keys, v128.shuffle<u32>(lows, highs, 2, 6, 3, 7), 16);
    low += 16;
    high += 16;
    keys += 32;
  }
}

export function doubleKeys(vector: usize, rowCount: i32, keys: usize): void {
  const zero = f64x2.splat(0);
  for (let row: i32 = 0; row < rowCount; row += 4) {
    const low = v128.load(vector);
    const high = v128.load(vector, 16);
    // -0 + 0 is 0. Every NaN is replaced by the NaN with all bits set.
    v128.store(keys, v128.or(f64x2.add(low, zero), f64x2.ne(low, low)));
    v128.store(keys, v128.or(f64x2.add(high, zero), f64x2.ne(high, high)), 16);
    vector += 32;
    keys += 32;
  }
}

/** Mixes all bits of a key into its low bits, with the finalizer of MurmurHash3 (Austin Appleby, public domain). */
export function hash(key: u64): u32 {
  key = (key ^ (key >> 33)) * 0xff51afd7ed558ccd;
  key = (key ^ (key >> 33)) * 0xc4ceb9fe1a85ec53;
  return <u32>(key ^ (key >> 33));
}

/**
 * Works in two passes. The first pass reads the slot of every key, so that the loads overlap. The second pass compares
 * the keys, and probes further slots if a slot was empty or contains another key. Groups are only added, so a slot that
 * is not empty stays valid.
 */
export function findGroups(
  keys: usize,
  rowCount: i32,
  slots: usize,
  slotMask: u32,
  groupKeys: usize,
  count: usize,
  limit: u32,
  numbers: usize,
): i32 {
  for (let row: i32 = 0; row < rowCount; row++) {
    const at = hash(load<u64>(keys + (row << 3))) & slotMask;
    store<u32>(numbers + (row << 2), load<u32>(slots + (at << 2)));
  }
  const keysBefore = groupKeys - 8;
  let row: i32 = 0;
  for (; row < rowCount; row++) {
    const key = load<u64>(keys);
    let group = load<u32>(numbers);
    if (group === 0 || load<u64>(keysBefore + (group << 3)) !== key) {
      let at = hash(key) & slotMask;
      group = load<u32>(slots + (at << 2));
      while (group !== 0 && load<u64>(keysBefore + (group << 3)) !== key) {
        at = (at + 1) & slotMask;
        group = load<u32>(slots + (at << 2));
      }
      if (group === 0) {
        const groupCount = load<u32>(count);
        if (groupCount >= limit) break;
        store<u64>(groupKeys + (groupCount << 3), key);
        group = groupCount + 1;
        store<u32>(count, group);
        store<u32>(slots + (at << 2), group);
      }
    }
    store<u32>(numbers, group - 1);
    keys += 8;
    numbers += 4;
  }
  return row;
}

export function rehash(
  groupKeys: usize,
  fromGroup: u32,
  toGroup: u32,
  slots: usize,
  slotMask: u32,
): void {
  groupKeys += (<usize>fromGroup) << 3;
  for (let group = fromGroup + 1; group <= toGroup; group++) {
    let at = hash(load<u64>(groupKeys)) & slotMask;
    while (load<u32>(slots + (at << 2)) !== 0) at = (at + 1) & slotMask;
    store<u32>(slots + (at << 2), group);
    groupKeys += 8;
  }
}

/** Number of pairs, minus one, in a table of pairs that were seen recently. */
const seenMask: u32 = 2047;

/** Writes the key in any case, and advances the cursor of its part only if it is new, so that there is no branch. */
function append(
  key: u64,
  isKey: u32,
  shift: u32,
  cursors: usize,
  areas: usize,
  areaRows: u32,
  seen: usize,
): void {
  const hashed = hash(key);
  const before = seen + ((hashed & seenMask) << 3);
  const isNew = isKey & u32(load<u64>(before) !== key);
  store<u64>(before, key);
  const part = <u32>(<u64>hashed >> <u64>shift);
  const cursor = cursors + (part << 2);
  const at = load<u32>(cursor);
  store<u64>(areas + ((part * areaRows + at) << 3), key);
  store<u32>(cursor, at + isNew);
}

export function scatterKeys(
  groups: usize,
  codes: usize,
  rowCount: i32,
  addend: u32,
  shift: u32,
  cursors: usize,
  areas: usize,
  areaRows: u32,
  seen: usize,
): void {
  for (let row: i32 = 0; row < rowCount; row++) {
    const code = load<u32>(codes);
    const key = <u64>(load<u32>(groups) + addend) | ((<u64>code) << 32);
    append(key, u32(code !== 0), shift, cursors, areas, areaRows, seen);
    groups += 4;
    codes += 4;
  }
}

export function scatterWhole(
  groups: usize,
  values: usize,
  rowCount: i32,
  addend: u32,
  base: f64,
  groupBits: u32,
  shift: u32,
  cursors: usize,
  areas: usize,
  areaRows: u32,
  seen: usize,
): void {
  for (let row: i32 = 0; row < rowCount; row++) {
    const value = load<f64>(values);
    const isValue = u32(value === value);
    const code = isValue ? <u64>(value - base + 1) : <u64>0;
    const key = <u64>(load<u32>(groups) + addend) | (code << (<u64>groupBits));
    append(key, isValue, shift, cursors, areas, areaRows, seen);
    groups += 4;
    values += 8;
  }
}

export function scatterDoubles(
  groups: usize,
  values: usize,
  rowCount: i32,
  addend: u32,
  isHashed: i32,
  shift: u32,
  cursors: usize,
  groupAreas: usize,
  valueAreas: usize,
  areaRows: u32,
  seen: usize,
): void {
  for (let row: i32 = 0; row < rowCount; row++) {
    const value = load<f64>(values);
    const group = load<u32>(groups) + addend;
    let isNew = u32(value === value);
    let number = group;
    if (isHashed) {
      const bits = reinterpret<u64>(value + 0);
      number = hash(bits);
      const before = seen + (((number + group * 0x9e3779b1) & seenMask) << 4);
      isNew &= u32(load<u64>(before) !== bits) | u32(load<u32>(before, 8) !== group);
      store<u64>(before, bits);
      store<u32>(before, group, 8);
    }
    const part = <u32>(<u64>number >> <u64>shift);
    const cursor = cursors + (part << 2);
    const at = load<u32>(cursor);
    const place = part * areaRows + at;
    store<u32>(groupAreas + (place << 2), group);
    store<f64>(valueAreas + (place << 3), value);
    store<u32>(cursor, at + isNew);
    groups += 4;
    values += 8;
  }
}
