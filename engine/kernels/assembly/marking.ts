import { loadOne, width } from "./stored";

function codeOf(stored: u32, offset: u32): u32 {
  return (stored + offset) & -u32(stored !== 0);
}

/** Sets a bit whether or not it is set already: a guess would often be wrong. */
function mark(bits: usize, code: u32): void {
  const word = bits + ((code >> 5) << 2);
  store<u32>(word, load<u32>(word) | ((<u32>1) << (code & 31)));
}

/** The loop of `markStored` for group numbers of type N and values of type V. */
function markStoredWidths<N, V>(
  numbers: usize,
  values: usize,
  rowCount: i32,
  offset: u32,
  bits: usize,
  strideBytes: usize,
): void {
  for (; rowCount >= 2; rowCount -= 2) {
    mark(bits + loadOne<N>(numbers, 0) * strideBytes, codeOf(loadOne<V>(values, 0), offset));
    mark(bits + loadOne<N>(numbers, 1) * strideBytes, codeOf(loadOne<V>(values, 1), offset));
    numbers += 2 * width<N>();
    values += 2 * width<V>();
  }
  for (; rowCount > 0; rowCount--) {
    mark(bits + loadOne<N>(numbers, 0) * strideBytes, codeOf(loadOne<V>(values, 0), offset));
    numbers += width<N>();
    values += width<V>();
  }
}

export function markStored1x1(
  numbers: usize,
  values: usize,
  rowCount: i32,
  offset: u32,
  bits: usize,
  strideBytes: usize,
): void {
  markStoredWidths<u8, u8>(numbers, values, rowCount, offset, bits, strideBytes);
}

export function markStored1x2(
  numbers: usize,
  values: usize,
  rowCount: i32,
  offset: u32,
  bits: usize,
  strideBytes: usize,
): void {
  markStoredWidths<u8, u16>(numbers, values, rowCount, offset, bits, strideBytes);
}

export function markStored1x3(
  numbers: usize,
  values: usize,
  rowCount: i32,
  offset: u32,
  bits: usize,
  strideBytes: usize,
): void {
  markStoredWidths<u8, i32>(numbers, values, rowCount, offset, bits, strideBytes);
}

export function markStored1x4(
  numbers: usize,
  values: usize,
  rowCount: i32,
  offset: u32,
  bits: usize,
  strideBytes: usize,
): void {
  markStoredWidths<u8, u32>(numbers, values, rowCount, offset, bits, strideBytes);
}

export function markStored2x1(
  numbers: usize,
  values: usize,
  rowCount: i32,
  offset: u32,
  bits: usize,
  strideBytes: usize,
): void {
  markStoredWidths<u16, u8>(numbers, values, rowCount, offset, bits, strideBytes);
}

export function markStored2x2(
  numbers: usize,
  values: usize,
  rowCount: i32,
  offset: u32,
  bits: usize,
  strideBytes: usize,
): void {
  markStoredWidths<u16, u16>(numbers, values, rowCount, offset, bits, strideBytes);
}

export function markStored2x3(
  numbers: usize,
  values: usize,
  rowCount: i32,
  offset: u32,
  bits: usize,
  strideBytes: usize,
): void {
  markStoredWidths<u16, i32>(numbers, values, rowCount, offset, bits, strideBytes);
}

export function markStored2x4(
  numbers: usize,
  values: usize,
  rowCount: i32,
  offset: u32,
  bits: usize,
  strideBytes: usize,
): void {
  markStoredWidths<u16, u32>(numbers, values, rowCount, offset, bits, strideBytes);
}

export function markStored4x1(
  numbers: usize,
  values: usize,
  rowCount: i32,
  offset: u32,
  bits: usize,
  strideBytes: usize,
): void {
  markStoredWidths<u32, u8>(numbers, values, rowCount, offset, bits, strideBytes);
}

export function markStored4x2(
  numbers: usize,
  values: usize,
  rowCount: i32,
  offset: u32,
  bits: usize,
  strideBytes: usize,
): void {
  markStoredWidths<u32, u16>(numbers, values, rowCount, offset, bits, strideBytes);
}

export function markStored4x3(
  numbers: usize,
  values: usize,
  rowCount: i32,
  offset: u32,
  bits: usize,
  strideBytes: usize,
): void {
  markStoredWidths<u32, i32>(numbers, values, rowCount, offset, bits, strideBytes);
}

export function markStored4x4(
  numbers: usize,
  values: usize,
  rowCount: i32,
  offset: u32,
  bits: usize,
  strideBytes: usize,
): void {
  markStoredWidths<u32, u32>(numbers, values, rowCount, offset, bits, strideBytes);
}
