import { bitsOf, sumBytes } from "./maskBits";

/**
 * Processes eight rows at a time without a branch: always writes eight positions from the table. The output for the
 * next eight rows overwrites the positions that are not needed.
 */
export function select(mask: usize, rowCount: i32, table: usize, selection: usize): i32 {
  const start = selection;
  for (let row: i32 = 0; row < rowCount; row += 16) {
    const bits = bitsOf(v128.load(mask), rowCount - row);
    const first = bits & 0xff;
    const second = bits >> 8;
    const rows = v128.load_ext<u8>(table + (first << 3));
    v128.store(selection, i16x8.add(rows, i16x8.splat(<i16>row)));
    selection += (<usize>popcnt(first)) << 1;
    const others = v128.load_ext<u8>(table + (second << 3));
    v128.store(selection, i16x8.add(others, i16x8.splat(<i16>(row + 8))));
    selection += (<usize>popcnt(second)) << 1;
    mask += 16;
  }
  return <i32>((selection - start) >> 1);
}

/** Moves the eight 16-bit lanes to the positions that are listed at an address with one byte each. */
function moveLanes(lanes: v128, places: usize): v128 {
  const bytes = i16x8.mul(v128.load_ext<u8>(places), i16x8.splat(0x0202));
  return i8x16.relaxed_swizzle(lanes, i16x8.add(bytes, i16x8.splat(0x0100)));
}

/** Can work in place, because the output for eight rows ends no later than where the next eight rows to read begin. */
export function narrow(mask: usize, rowCount: i32, table: usize, selection: usize): i32 {
  const start = selection;
  let from = selection;
  for (let row: i32 = 0; row < rowCount; row += 16) {
    const bits = bitsOf(v128.load(mask), rowCount - row);
    const first = bits & 0xff;
    const second = bits >> 8;
    const rows = v128.load(from);
    const others = v128.load(from, 16);
    v128.store(selection, moveLanes(rows, table + (first << 3)));
    selection += (<usize>popcnt(first)) << 1;
    v128.store(selection, moveLanes(others, table + (second << 3)));
    selection += (<usize>popcnt(second)) << 1;
    from += 32;
    mask += 16;
  }
  return <i32>((selection - start) >> 1);
}

/** Adds up bytes in 8-bit lanes. Sums of up to 255 blocks fit in such a lane. */
export function countMask(mask: usize, rowCount: i32): i32 {
  let sums = i32x4.splat(0);
  let others = sums;
  let row: i32 = 0;
  for (; row + 32 <= rowCount; row += 32) {
    sums = i8x16.add(sums, v128.load(mask));
    others = i8x16.add(others, v128.load(mask, 16));
    mask += 32;
  }
  let count = sumBytes(sums, others);
  for (; row < rowCount; row++) {
    count += load<u8>(mask);
    mask++;
  }
  return count;
}
