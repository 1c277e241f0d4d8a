import { bitsOfByte } from "./constants";

/** Rows that loops over few groups take at a time. */
export const stepRows: i32 = 64;

/** Pads the numbers with excluded rows to a whole block of 64. */
export function padNumbers(numbers: usize, rowCount: i32): void {
  const rest = rowCount & (stepRows - 1);
  if (rest > 0) memory.fill(numbers + rowCount, 0xff, stepRows - rest);
}

/** Returns a table from group to the set of that group, for groups 0 to 7; the empty set for others. */
export function lowSets(): v128 {
  return i64x2.replace_lane(i64x2.splat(bitsOfByte), 1, 0);
}

/** Like `lowSets`, for groups 8 to 15. */
export function highSets(): v128 {
  return i64x2.replace_lane(i64x2.splat(bitsOfByte), 0, 0);
}

/** All bits of sixteen bytes, in one byte. */
function anyBits(bytes: v128): i32 {
  const both = i64x2.extract_lane(bytes, 0) | i64x2.extract_lane(bytes, 1);
  const four = <i32>both | <i32>(both >> 32);
  const two = four | (four >> 16);
  return (two | (two >> 8)) & 0xff;
}

/** Joins two sets of groups to one: bit `g` for group `g`. */
export function joinSets(low: v128, high: v128): i32 {
  return anyBits(low) | (anyBits(high) << 8);
}
