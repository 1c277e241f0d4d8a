import { bucketOf, count } from "./counters";
import { loadFour, loadOne, loadSpread, width } from "./stored";

/**
 * Returns the addresses of the counters of four rows, two in each 64-bit lane. The table has one 32-bit counter for
 * each group and bucket.
 */
function addresses<N, V>(
  numbers: usize,
  values: usize,
  spread: v128,
  offsets: v128,
  shift: u32,
  strides: v128,
  tables: v128,
): v128 {
  const stored = loadFour<V>(values, spread);
  const places = i32x4.shr_u(i32x4.add(stored, offsets), shift);
  const buckets = v128.andnot(places, i32x4.eq(stored, i32x4.splat(0)));
  const groups = i32x4.mul(loadFour<N>(numbers, spread), strides);
  return i32x4.add(i32x4.shl(i32x4.add(buckets, groups), 2), tables);
}

/** The loop of `countStored` for group numbers of type N and values of type V. */
export function countStored<N, V>(
  numbers: usize,
  values: usize,
  rowCount: i32,
  offset: u32,
  shift: u32,
  counts: usize,
  stride: u32,
): void {
  const spread = loadSpread();
  const offsets = i32x4.splat(offset);
  const strides = i32x4.splat(stride);
  const tables = i32x4.splat(<i32>counts);
  for (; rowCount >= 4; rowCount -= 4) {
    const four = addresses<N, V>(numbers, values, spread, offsets, shift, strides, tables);
    const low = i64x2.extract_lane(four, 0);
    const high = i64x2.extract_lane(four, 1);
    count(<usize>low);
    count(<usize>(low >> 32));
    count(<usize>high);
    count(<usize>(high >> 32));
    numbers += 4 * width<N>();
    values += 4 * width<V>();
  }
  for (; rowCount > 0; rowCount--) {
    const bucket = bucketOf(loadOne<V>(values), offset, shift);
    count(counts + ((bucket + loadOne<N>(numbers) * stride) << 2));
    numbers += width<N>();
    values += width<V>();
  }
}

/**
 * The loops of `findStored` for group numbers of type N and values of type V. Skips four rows at a time if none of them
 * is wanted; the processor predicts this branch well if few rows are wanted. Writes all other rows; the next wanted row
 * overwrites a row that is not wanted.
 */
export function findStored<N, V>(
  numbers: usize,
  values: usize,
  rowCount: i32,
  offset: u32,
  shift: u32,
  wanted: usize,
  stride: u32,
  found: usize,
): u32 {
  const from = found;
  const spread = loadSpread();
  const offsets = i32x4.splat(offset);
  const strides = i32x4.splat(stride);
  const tables = i32x4.splat(<i32>wanted);
  while (rowCount > 0) {
    for (; rowCount >= 4; rowCount -= 4) {
      const four = addresses<N, V>(numbers, values, spread, offsets, shift, strides, tables);
      const low = i64x2.extract_lane(four, 0);
      const high = i64x2.extract_lane(four, 1);
      const first = load<u32>(<usize>low) | load<u32>(<usize>(low >> 32));
      const second = load<u32>(<usize>high) | load<u32>(<usize>(high >> 32));
      if ((first | second) !== 0) break;
      numbers += 4 * width<N>();
      values += 4 * width<V>();
    }
    for (const end = max(rowCount - 4, 0); rowCount > end; rowCount--) {
      const stored = loadOne<V>(values);
      const bucket = bucketOf(stored, offset, shift);
      const slot = load<u32>(wanted + ((bucket + loadOne<N>(numbers) * stride) << 2));
      store<u32>(found, slot - 1);
      store<u32>(found, stored + offset, 4);
      found += u32(slot !== 0) << 3;
      numbers += width<N>();
      values += width<V>();
    }
  }
  return <u32>(found - from) >> 3;
}

export function countFound(found: usize, foundCount: i32, shift: u32, counts: usize): void {
  const mask = ((<u32>1) << shift) - 1;
  for (; foundCount > 0; foundCount--) {
    count(counts + (((load<u32>(found) << shift) | (load<u32>(found, 4) & mask)) << 2));
    found += 8;
  }
}

export function placeFound(
  found: usize,
  foundCount: i32,
  base: f64,
  cursors: usize,
  out: usize,
): void {
  for (; foundCount > 0; foundCount--) {
    const cursor = cursors + (load<u32>(found) << 2);
    const place = load<u32>(cursor);
    store<f64>(out + (place << 3), base + <f64>load<u32>(found, 4));
    store<u32>(cursor, place + 1);
    found += 8;
  }
}
