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
function hash(key: u64): u32 {
  key = (key ^ (key >> 33)) * 0xff51afd7ed558ccd;
  key = (key ^ (key >> 33)) * 0xc4ceb9fe1a85ec53;
  return <u32>(key ^ (key >> 33));
}

/**
 * Works in two passes. The first pass reads the slot of every key, so that the loads overlap. The second pass compares,
 * and probes further if a slot is empty or contains another key. Groups are only added, so a slot that is not empty
 * stays valid.
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
