import { bitsOfByte } from "./constants";

/** Rows of one turn of a loop over groups that are few. */
export const turnRows: i32 = 64;

/** Ends the numbers with rows of no group, up to a whole turn. */
export function fillTurn(numbers: usize, rowCount: i32): void {
  const rest = rowCount & (turnRows - 1);
  if (rest > 0) memory.fill(numbers + rowCount, 0xff, turnRows - rest);
}

/** The table of the sets of one group, for groups 0 to 7; of the others they are empty. */
export function lowSets(): v128 {
  return i64x2.replace_lane(i64x2.splat(bitsOfByte), 1, 0);
}

/** The same for groups 8 to 15. */
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

/** Puts sets of groups together: bit `g` for group `g`. */
export function joinSets(low: v128, high: v128): i32 {
  return anyBits(low) | (anyBits(high) << 8);
}
