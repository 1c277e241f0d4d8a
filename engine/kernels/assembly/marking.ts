import { bitsOfByte } from "./constants";
import { loadFour, loadSpread, width } from "./stored";

/*
 * Bits are set without a branch, because a branch would often be mispredicted. First, the addresses of the bytes, and
 * the bits within these bytes, are computed for a block of rows, sixteen at a time. Then each row needs only three
 * loads (the address, the bit and the byte) and a store.
 */

/**
 * Number of rows whose addresses are computed at a time. It is so small that the addresses and the bitmaps stay in the
 * first-level cache.
 */
const blockRows: i32 = 512;
const blockPlaces: usize = 2048;

/** Returns the codes of four stored numbers; 0 where the number is 0. */
function codesOf<V>(values: usize, spread: v128, offsets: v128): v128 {
  const stored = loadFour<V>(values, spread);
  return v128.andnot(i32x4.add(stored, offsets), i32x4.eq(stored, i32x4.splat(0)));
}

/** Returns the addresses of the bytes that contain the bits of four codes. */
function bytesOf<N>(numbers: usize, spread: v128, strides: v128, codes: v128, bits: v128): v128 {
  const places = i32x4.add(bits, i32x4.shr_u(codes, 3));
  return i32x4.add(places, i32x4.mul(loadFour<N>(numbers, spread), strides));
}

/** Writes the address of each row's byte, followed by the row's bit within the byte. */
function placeBits<N, V>(
  numbers: usize,
  values: usize,
  rowCount: i32,
  offset: u32,
  bits: usize,
  strideBytes: usize,
  scratch: usize,
): void {
  const spread = loadSpread();
  const table = i64x2.splat(bitsOfByte);
  const offsets = i32x4.splat(offset);
  const starts = i32x4.splat(<u32>bits);
  const strides = i32x4.splat(<u32>strideBytes);
  const sevens = i32x4.splat(7);
  let bitsAt = scratch + blockPlaces;
  for (let row: i32 = 0; row < rowCount; row += 16) {
    const first = codesOf<V>(values, spread, offsets);
    const second = codesOf<V>(values + 4 * width<V>(), spread, offsets);
    const third = codesOf<V>(values + 8 * width<V>(), spread, offsets);
    const fourth = codesOf<V>(values + 12 * width<V>(), spread, offsets);
    v128.store(scratch, bytesOf<N>(numbers, spread, strides, first, starts));
    v128.store(scratch, bytesOf<N>(numbers + 4 * width<N>(), spread, strides, second, starts), 16);
    v128.store(scratch, bytesOf<N>(numbers + 8 * width<N>(), spread, strides, third, starts), 32);
    v128.store(scratch, bytesOf<N>(numbers + 12 * width<N>(), spread, strides, fourth, starts), 48);
    const low = i16x8.narrow_i32x4_u(v128.and(first, sevens), v128.and(second, sevens));
    const high = i16x8.narrow_i32x4_u(v128.and(third, sevens), v128.and(fourth, sevens));
    v128.store(bitsAt, i8x16.relaxed_swizzle(table, i8x16.narrow_i16x8_u(low, high)));
    scratch += 64;
    bitsAt += 16;
    numbers += 16 * width<N>();
    values += 16 * width<V>();
  }
}

/** Sets the bits of a block of rows. */
function setBits(scratch: usize, rowCount: i32): void {
  let bitsAt = scratch + blockPlaces;
  for (; rowCount >= 4; rowCount -= 4) {
    const first: usize = load<u32>(scratch);
    const second: usize = load<u32>(scratch, 4);
    const third: usize = load<u32>(scratch, 8);
    const fourth: usize = load<u32>(scratch, 12);
    store<u8>(first, load<u8>(first) | load<u8>(bitsAt));
    store<u8>(second, load<u8>(second) | load<u8>(bitsAt, 1));
    store<u8>(third, load<u8>(third) | load<u8>(bitsAt, 2));
    store<u8>(fourth, load<u8>(fourth) | load<u8>(bitsAt, 3));
    scratch += 16;
    bitsAt += 4;
  }
  for (; rowCount > 0; rowCount--) {
    const address: usize = load<u32>(scratch);
    store<u8>(address, load<u8>(address) | load<u8>(bitsAt));
    scratch += 4;
    bitsAt++;
  }
}

/** `markStored` for group numbers of type N and values of type V. */
export function markStored<N, V>(
  numbers: usize,
  values: usize,
  rowCount: i32,
  offset: u32,
  bits: usize,
  strideBytes: usize,
  scratch: usize,
): void {
  for (; rowCount > 0; rowCount -= blockRows) {
    const count = min(rowCount, blockRows);
    placeBits<N, V>(numbers, values, count, offset, bits, strideBytes, scratch);
    setBits(scratch, count);
    numbers += blockRows * width<N>();
    values += blockRows * width<V>();
  }
}
