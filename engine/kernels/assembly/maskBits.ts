/** Returns the mask of sixteen rows as bits; 0 for rows after the last. */
export function bitsOf(bytes: v128, rowsLeft: i32): u32 {
  // Moves bit 0 of each byte to bit 7.
  const bits = <u32>i8x16.bitmask(i16x8.shl(bytes, 7));
  return rowsLeft < 16 ? bits & ((1 << rowsLeft) - 1) : bits;
}

/** Returns the sum of the bytes of two vectors. */
export function sumBytes(bytes: v128, others: v128): i32 {
  const halves = i16x8.add(
    i16x8.extadd_pairwise_i8x16_u(bytes),
    i16x8.extadd_pairwise_i8x16_u(others),
  );
  const words = i32x4.extadd_pairwise_i16x8_u(halves);
  const low = i32x4.extract_lane(words, 0) + i32x4.extract_lane(words, 1);
  return low + i32x4.extract_lane(words, 2) + i32x4.extract_lane(words, 3);
}
