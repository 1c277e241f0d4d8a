import { bitsOfByte } from "./constants";

/** Rows per iteration of loops over few groups. */
export const stepRows: i32 = 64;

/** Pads the last block of 64 numbers with excluded rows. */
export function padNumbers(numbers: usize, rowCount: i32): void {
  const rest = rowCount & (stepRows - 1);
  if (rest > 0) memory.fill(numbers + rowCount, 0xff, stepRows - rest);
}

/**
 * Returns a table of sets of groups. It maps each of the groups 0 to 7 to the set of only this group, and all other
 * groups to the empty set.
 */
export function lowSets(): v128 {
  return i64x2.replace_lane(i64x2.splat(bitsOfByte), 1, 0);
}

/** Like `lowSets`, for groups 8 to 15. */
export function highSets(): v128 {
  return i64x2.replace_lane(i64x2.splat(bitsOfByte), 0, 0);
}

/** Returns the bits that are set in any of sixteen bytes. */
function anyBits(bytes: v128): i32 {
  const both = i64x2.extract_lane(bytes, 0) | i64x2.extract_lane(bytes, 1);
  const four = <i32>both | <i32>(both >> 32);
  const two = four | (four >> 16);
  return (two | (two >> 8)) & 0xff;
}

/** Combines two sets of groups into one set, in which bit `g` stands for group `g`. */
export function joinSets(low: v128, high: v128): i32 {
  return anyBits(low) | (anyBits(high) << 8);
}
