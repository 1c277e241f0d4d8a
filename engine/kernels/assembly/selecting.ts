/** Running counts of eight bytes 0 or 1: byte i of the product is the sum of bytes 0 to i. */
function runningCounts(bytes: u64): u64 {
  return bytes * 0x0101010101010101;
}

/** Lists the rows of eight bytes without a branch: each row is written where the count before it says, ones and zeros alike. */
function selectEight(bytes: u64, row: i32, selection: usize): usize {
  const counts = runningCounts(bytes);
  const before = (counts - bytes) << 1;
  store<u16>(selection + <usize>(before & 0xff), row);
  store<u16>(selection + <usize>((before >> 8) & 0xff), row + 1);
  store<u16>(selection + <usize>((before >> 16) & 0xff), row + 2);
  store<u16>(selection + <usize>((before >> 24) & 0xff), row + 3);
  store<u16>(selection + <usize>((before >> 32) & 0xff), row + 4);
  store<u16>(selection + <usize>((before >> 40) & 0xff), row + 5);
  store<u16>(selection + <usize>((before >> 48) & 0xff), row + 6);
  store<u16>(selection + <usize>(before >> 56), row + 7);
  return selection + <usize>((counts >> 56) << 1);
}

/** The bytes of sixteen rows that are not 0, as bits. */
function bitsOf(mask: usize): u64 {
  return <u64>i8x16.bitmask(i8x16.ne(v128.load(mask), i32x4.splat(0)));
}

/**
 * 64 rows at a time. Few rows are taken bit by bit, which guesses wrong once, where the bits end; many without a branch.
 */
export function select(mask: usize, rowCount: i32, selection: usize): i32 {
  const start = selection;
  const steps = i16x8(0, 1, 2, 3, 4, 5, 6, 7);
  for (let row: i32 = 0; row < rowCount; row += 64) {
    let bits = bitsOf(mask) | (bitsOf(mask + 16) << 16);
    bits |= (bitsOf(mask + 32) << 32) | (bitsOf(mask + 48) << 48);
    const isWhole = rowCount - row >= 64;
    if (!isWhole) bits &= ((<u64>1) << (rowCount - row)) - 1;
    if (isWhole && popcnt(bits) > 20) {
      for (let at: i32 = 0; at < 64; at += 16) {
        if (<u16>bits === 0xffff) {
          const rows = i16x8.add(steps, i16x8.splat(<i16>(row + at)));
          v128.store(selection, rows);
          v128.store(selection, i16x8.add(rows, i16x8.splat(8)), 16);
          selection += 32;
        } else {
          selection = selectEight(load<u64>(mask + at), row + at, selection);
          selection = selectEight(load<u64>(mask + at, 8), row + at + 8, selection);
        }
        bits >>= 16;
      }
    } else {
      for (; bits !== 0; bits &= bits - 1) {
        store<u16>(selection, row + <i32>ctz(bits));
        selection += 2;
      }
    }
    mask += 64;
  }
  return <i32>((selection - start) >> 1);
}
