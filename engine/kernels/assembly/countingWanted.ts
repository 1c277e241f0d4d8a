import { bucketOf, count } from "./counters";
import { loadFour, loadOne, loadSpread, width } from "./stored";

/*
 * Few rows are wanted, so sixteen rows are compared at a time. The bucket of each row, in one byte, is compared with a
 * wanted bucket of the row's group, which takes four swizzles to find.
 */

/** Returns the buckets of four rows, in 32-bit lanes. */
function placesOf<V>(values: usize, spread: v128, offsets: v128, shift: u32): v128 {
  return i32x4.shr_u(i32x4.add(loadFour<V>(values, spread), offsets), shift);
}

/** Counts the wanted rows among the rows whose bit is set. */
function countRows<V>(
  rows: i32,
  numbers: usize,
  varies: u32,
  values: usize,
  offset: u32,
  shift: u32,
  wanted: usize,
  stride: u32,
  counts: usize,
): void {
  const mask = ((<u32>1) << shift) - 1;
  for (; rows !== 0; rows &= rows - 1) {
    const row = <usize>ctz(rows);
    const stored = loadOne<V>(values + row * width<V>());
    const group = <u32>load<u8>(numbers + row) & varies;
    const bucket = bucketOf(stored, offset, shift);
    const slot = load<u32>(wanted + ((bucket + group * stride) << 2));
    if (slot !== 0) count(counts + ((((slot - 1) << shift) | ((stored + offset) & mask)) << 2));
  }
}

/** Returns a bit for each of sixteen rows: whether its bucket is wanted for its group. */
@inline
function wantedRows<V>(
  numbers: usize,
  values: usize,
  spread: v128,
  offsets: v128,
  shift: u32,
  all: v128,
  layers: usize,
  end: usize,
): i32 {
  const buckets = i8x16.narrow_i16x8_u(
    i16x8.narrow_i32x4_u(
      placesOf<V>(values, spread, offsets, shift),
      placesOf<V>(values + 4 * width<V>(), spread, offsets, shift),
    ),
    i16x8.narrow_i32x4_u(
      placesOf<V>(values + 8 * width<V>(), spread, offsets, shift),
      placesOf<V>(values + 12 * width<V>(), spread, offsets, shift),
    ),
  );
  const first = v128.and(v128.load(numbers), all);
  const second = v128.xor(first, i8x16.splat(16));
  const third = v128.xor(first, i8x16.splat(32));
  const fourth = v128.xor(first, i8x16.splat(48));
  let isFound = i8x16.splat(0);
  for (let layer = layers; layer < end; layer += 64) {
    const low = v128.or(
      i8x16.swizzle(v128.load(layer), first),
      i8x16.swizzle(v128.load(layer, 16), second),
    );
    const high = v128.or(
      i8x16.swizzle(v128.load(layer, 32), third),
      i8x16.swizzle(v128.load(layer, 48), fourth),
    );
    isFound = v128.or(isFound, i8x16.eq(buckets, v128.or(low, high)));
  }
  return i8x16.bitmask(isFound);
}

/**
 * `countWanted` for values of type V. Inlined, since V8 optimizes a function only when its own loops have run long enough.
 * Reads both halves at once: a machine reads two places in memory faster than one.
 */
@inline
export function countWanted<V>(
  numbers: usize,
  varies: u32,
  values: usize,
  rowCount: i32,
  offset: u32,
  shift: u32,
  wanted: usize,
  stride: u32,
  layers: usize,
  layerCount: i32,
  counts: usize,
): void {
  const spread = loadSpread();
  const offsets = i32x4.splat(offset);
  const all = i8x16.splat(<i8>varies);
  const end = layers + (<usize>layerCount << 6);
  const half = (rowCount >> 5) << 4;
  const farNumbers: usize = half;
  const farValues = <usize>half * width<V>();
  for (let left = half; left > 0; left -= 16) {
    const near = wantedRows<V>(numbers, values, spread, offsets, shift, all, layers, end);
    const far = wantedRows<V>(
      numbers + farNumbers,
      values + farValues,
      spread,
      offsets,
      shift,
      all,
      layers,
      end,
    );
    if ((near | far) !== 0) {
      countRows<V>(near, numbers, varies, values, offset, shift, wanted, stride, counts);
      countRows<V>(
        far,
        numbers + farNumbers,
        varies,
        values + farValues,
        offset,
        shift,
        wanted,
        stride,
        counts,
      );
    }
    numbers += 16;
    values += 16 * width<V>();
  }
  numbers += farNumbers;
  values += farValues;
  for (let left = rowCount - 2 * half; left > 0; left -= 16) {
    let rows = wantedRows<V>(numbers, values, spread, offsets, shift, all, layers, end);
    if (left < 16) rows &= (1 << left) - 1;
    countRows<V>(rows, numbers, varies, values, offset, shift, wanted, stride, counts);
    numbers += 16;
    values += 16 * width<V>();
  }
}
