import { hash } from "./hashing";

export function hashNumbers(numbers: usize, rowCount: i32, hashes: usize, isFirst: i32): void {
  for (let row: i32 = 0; row < rowCount; row++) {
    const before: u32 = isFirst ? 0 : load<u32>(hashes);
    store<u32>(hashes, hash(<u64>load<u32>(numbers) | ((<u64>before) << 32)));
    numbers += 4;
    hashes += 4;
  }
}

export function hashValues(vector: usize, rowCount: i32, hashes: usize, isFirst: i32): void {
  for (let row: i32 = 0; row < rowCount; row++) {
    const value = load<f64>(vector);
    // -0 + 0 is 0, and every NaN has the same hash.
    const bits = value === value ? reinterpret<u64>(value + 0) : ~(<u64>0);
    const before: u32 = isFirst ? 0 : load<u32>(hashes);
    store<u32>(hashes, hash(bits ^ (<u64>before * 0x9e3779b97f4a7c15)));
    vector += 8;
    hashes += 4;
  }
}

/** Binary logarithm of the number of rows in a chunk, and that number minus one. */
const chunkBits: u32 = 8;
const chunkMask: u32 = 255;

export function placeRows(
  hashes: usize,
  rowCount: i32,
  shift: u32,
  cursors: usize,
  takenCount: usize,
  chunkCount: u32,
  spanCount: u32,
  span: u32,
  owners: usize,
  places: usize,
): i32 {
  for (let row: i32 = 0; row < rowCount; row++) {
    const part = <u32>(<u64>load<u32>(hashes) >> <u64>shift);
    const cursor = cursors + (part << 2);
    let at = load<u32>(cursor);
    if ((at & chunkMask) === 0) {
      const chunk = atomic.add<u32>(takenCount, 1);
      if (chunk >= chunkCount) return row;
      store<u32>(owners + (chunk << 2), part * spanCount + span);
      at = chunk << chunkBits;
    }
    store<u32>(places, at);
    store<u32>(cursor, at + 1);
    hashes += 4;
    places += 4;
  }
  return rowCount;
}

export function scatter<T>(values: usize, places: usize, rowCount: i32, column: usize): void {
  for (let row: i32 = 0; row < rowCount; row++) {
    store<T>(column + <usize>load<u32>(places) * sizeof<T>(), load<T>(values));
    values += sizeof<T>();
    places += 4;
  }
}
