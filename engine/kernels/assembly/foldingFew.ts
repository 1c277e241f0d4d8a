import {
  gather16High,
  gather16Low,
  gather24High,
  gather24Low,
  gather32High,
  gather32Low,
  signs,
} from "./constants";
import { padNumbers, highSets, joinSets, lowSets, stepRows } from "./fewGroups";
import { width } from "./stored";

/*
 * Few groups are numbered 0 to 15, in one byte per row; 128 to 255 excludes the row. A table that contains 1 at one
 * position and 0 elsewhere is swizzled by these numbers. The result is 1 for the rows of that position's group and 0
 * for all other rows.
 *
 * Stored values are split into planes: their first bytes, their second bytes and so on. Dot products add up the bytes
 * of a plane in the rows whose result is 1. They treat bytes as signed, so 128 is subtracted from each byte; 128 times
 * the row count is added back at the end. Four products at a time are added up from 0, because in a single chain each
 * product would wait for the previous one.
 */

/** Number of rows after which the sums of a group are widened. It is so small that the row count fits in a byte. */
const blockRows: i32 = 2048;

/**
 * Number of rows to split at a time. It is so small that the processor can fetch the next rows while these rows are
 * summed.
 */
const partRows: i32 = 512;
const partBytes: usize = 512;
const blockParts: i32 = blockRows / partRows;

/** Number of bytes that the sums of one group occupy. */
const sumsBytes: usize = 80;

/** Address to which the bytes read ahead are written, so that the compiler does not remove the reads. */
const ignoredAt: usize = 3840;

export function numberFew(
  codes: usize,
  rowCount: i32,
  first: i32,
  stride: i32,
  numbers: usize,
  isFirst: i32,
): void {
  const firsts = i8x16.splat(<i8>first);
  const strides = i16x8.splat(<i16>stride);
  const products = i8x16.narrow_i16x8_u(
    i16x8.mul(i16x8(0, 1, 2, 3, 4, 5, 6, 7), strides),
    i16x8.mul(i16x8(8, 9, 10, 11, 12, 13, 14, 15), strides),
  );
  const end = numbers + rowCount;
  let to = numbers;
  if (isFirst !== 0) {
    for (; to < end; to += 16) {
      const places = i8x16.sub(v128.load(codes), firsts);
      v128.store(to, i8x16.relaxed_swizzle(products, places));
      codes += 16;
    }
  } else {
    for (; to < end; to += 16) {
      const places = i8x16.sub(v128.load(codes), firsts);
      v128.store(to, i8x16.add(v128.load(to), i8x16.relaxed_swizzle(products, places)));
      codes += 16;
    }
  }
  padNumbers(numbers, rowCount);
}

export function narrowFew(wide: usize, rowCount: i32, numbers: usize): void {
  const end = numbers + rowCount;
  for (let to = numbers; to < end; to += 16) {
    const low = i16x8.narrow_i32x4_u(v128.load(wide), v128.load(wide, 16));
    const high = i16x8.narrow_i32x4_u(v128.load(wide, 32), v128.load(wide, 48));
    v128.store(to, i8x16.narrow_i16x8_u(low, high));
    wide += 64;
  }
  padNumbers(numbers, rowCount);
}

export function leaveOut(mask: usize, rowCount: i32, numbers: usize): i32 {
  const ones = i8x16.splat(1);
  const lows = lowSets();
  const highs = highSets();
  let low = i8x16.splat(0);
  let high = low;
  const end = numbers + (rowCount & -16);
  let to = numbers;
  for (; to < end; to += 16) {
    const left = v128.or(v128.load(to), i8x16.sub(v128.load(mask), ones));
    v128.store(to, left);
    low = v128.or(low, i8x16.relaxed_swizzle(lows, left));
    high = v128.or(high, i8x16.relaxed_swizzle(highs, left));
    mask += 16;
  }
  if ((rowCount & 15) > 0) {
    v128.store(to, v128.or(v128.load(to), i8x16.sub(v128.load(mask), ones)));
    padNumbers(numbers, rowCount);
    low = v128.or(low, i8x16.relaxed_swizzle(lows, v128.load(to)));
    high = v128.or(high, i8x16.relaxed_swizzle(highs, v128.load(to)));
  } else {
    padNumbers(numbers, rowCount);
  }
  return joinSets(low, high);
}

/**
 * Writes the planes of stored values, minus 128. Also reads the values at `ahead`, so that they are in the caches when
 * needed. Reading alternately from two places in memory is faster than reading from one.
 */
@inline
function takeApart<V>(values: usize, rowCount: i32, planes: usize, ahead: usize): void {
  const flip = i64x2.splat(signs);
  const ignored = planes + ignoredAt;
  let touched = flip;
  const end = planes + rowCount;
  if (!isSigned<V>() && sizeof<V>() === 1) {
    for (; planes < end; planes += 16) {
      v128.store(planes, v128.xor(v128.load(values), flip));
      touched = v128.or(touched, v128.load(values + ahead));
      values += 16;
    }
  } else if (!isSigned<V>() && sizeof<V>() === 2) {
    const gather = i64x2.replace_lane(i64x2.splat(gather16Low), 1, gather16High);
    for (; planes < end; planes += 16) {
      const low = v128.xor(i8x16.relaxed_swizzle(v128.load(values), gather), flip);
      const high = v128.xor(i8x16.relaxed_swizzle(v128.load(values, 16), gather), flip);
      v128.store(planes, v128.shuffle<u64>(low, high, 0, 2));
      v128.store(planes, v128.shuffle<u64>(low, high, 1, 3), partBytes);
      touched = v128.or(touched, v128.load(values + ahead));
      values += 32;
    }
  } else {
    const gather = isSigned<V>()
      ? i64x2.replace_lane(i64x2.splat(gather24Low), 1, gather24High)
      : i64x2.replace_lane(i64x2.splat(gather32Low), 1, gather32High);
    for (; planes < end; planes += 16) {
      const rows0 = i8x16.relaxed_swizzle(v128.load(values), gather);
      const rows4 = i8x16.relaxed_swizzle(v128.load(values + 4 * width<V>()), gather);
      const rows8 = i8x16.relaxed_swizzle(v128.load(values + 8 * width<V>()), gather);
      const rows12 = i8x16.relaxed_swizzle(v128.load(values + 12 * width<V>()), gather);
      let low = v128.shuffle<u32>(rows0, rows4, 0, 4, 1, 5);
      let high = v128.shuffle<u32>(rows8, rows12, 0, 4, 1, 5);
      v128.store(planes, v128.xor(v128.shuffle<u64>(low, high, 0, 2), flip));
      v128.store(planes, v128.xor(v128.shuffle<u64>(low, high, 1, 3), flip), partBytes);
      low = v128.shuffle<u32>(rows0, rows4, 2, 6, 3, 7);
      high = v128.shuffle<u32>(rows8, rows12, 2, 6, 3, 7);
      v128.store(planes, v128.xor(v128.shuffle<u64>(low, high, 0, 2), flip), 2 * partBytes);
      if (!isSigned<V>()) {
        v128.store(planes, v128.xor(v128.shuffle<u64>(low, high, 1, 3), flip), 3 * partBytes);
      }
      touched = v128.or(touched, v128.load(values + ahead));
      values += 16 * width<V>();
    }
  }
  v128.store(ignored, touched);
}

/** Copies the numbers of whole blocks of 64 rows, and excludes the rows whose value is 0. */
function leaveNullsOut<V>(numbers: usize, rowCount: i32, planes: usize, to: usize): void {
  const flip = i64x2.splat(signs);
  for (const end = to + rowCount; to < end; to += 16) {
    let isNull = i8x16.eq(v128.load(planes), flip);
    if (width<V>() > 1) {
      isNull = v128.and(isNull, i8x16.eq(v128.load(planes, partBytes), flip));
    }
    if (width<V>() > 2) {
      isNull = v128.and(isNull, i8x16.eq(v128.load(planes, 2 * partBytes), flip));
    }
    if (width<V>() > 3) {
      isNull = v128.and(isNull, i8x16.eq(v128.load(planes, 3 * partBytes), flip));
    }
    v128.store(to, v128.or(v128.load(numbers), isNull));
    numbers += 16;
    planes += 16;
  }
}

/** Returns the table of a group: 1 at its place. */
function tableOf(group: i32): v128 {
  const isGroup = i8x16.eq(
    i8x16(0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15),
    i8x16.splat(<i8>group),
  );
  return v128.and(isGroup, i8x16.splat(1));
}

/** Sum of the unsigned bytes, at most 65,535 a pair of lanes. */
function sumBytes(bytes: v128): i32 {
  const sums = i32x4.extadd_pairwise_i16x8_u(i16x8.extadd_pairwise_i8x16_u(bytes));
  const both = i32x4.add(sums, v128.shuffle<u32>(sums, sums, 2, 3, 0, 1));
  return i32x4.extract_lane(both, 0) + i32x4.extract_lane(both, 1);
}

/** The sum of the lanes of each of two vectors, in lanes 0 and 1. */
function sumLanes(low: v128, high: v128): v128 {
  const sums = i32x4.add(
    v128.shuffle<u32>(low, high, 0, 4, 1, 5),
    v128.shuffle<u32>(low, high, 2, 6, 3, 7),
  );
  return i32x4.add(sums, v128.shuffle<u32>(sums, sums, 2, 3, 0, 1));
}

/**
 * Returns whether the machine adds four products in one instruction. Machines that take three add pairs in 16 bits first,
 * which saturate for 255 times 127. Sums of bytes and ones are the same either way.
 */
function addsFour(): bool {
  const sums = i32x4.relaxed_dot_i8x16_i7x16_add_s(
    i8x16.splat(127),
    i8x16.splat(-1),
    i32x4.splat(0),
  );
  return i32x4.extract_lane(sums, 0) !== 65534;
}

/**
 * Sums the bytes of a plane of 64 rows where the rows are 1: four products at a time (D is u32), or pairs that are widened
 * at the end (D is u16).
 */
function dotPlanes<D>(plane: usize, ones0: v128, ones16: v128, ones32: v128, ones48: v128): v128 {
  if (sizeof<D>() === 4) {
    let sums = i32x4.relaxed_dot_i8x16_i7x16_add_s(v128.load(plane), ones0, i32x4.splat(0));
    sums = i32x4.relaxed_dot_i8x16_i7x16_add_s(v128.load(plane, 16), ones16, sums);
    sums = i32x4.relaxed_dot_i8x16_i7x16_add_s(v128.load(plane, 32), ones32, sums);
    return i32x4.relaxed_dot_i8x16_i7x16_add_s(v128.load(plane, 48), ones48, sums);
  }
  const low = i16x8.add(
    i16x8.relaxed_dot_i8x16_i7x16_s(v128.load(plane), ones0),
    i16x8.relaxed_dot_i8x16_i7x16_s(v128.load(plane, 16), ones16),
  );
  const high = i16x8.add(
    i16x8.relaxed_dot_i8x16_i7x16_s(v128.load(plane, 32), ones32),
    i16x8.relaxed_dot_i8x16_i7x16_s(v128.load(plane, 48), ones48),
  );
  return i32x4.extadd_pairwise_i16x8_s(i16x8.add(low, high));
}

/** Adds the rows of one group, and the bytes of their values, to its sums: five vectors of bytes, and of 32-bit lanes. */
@inline
function foldGroup<V, D>(
  numbers: usize,
  rowCount: i32,
  planes: usize,
  group: i32,
  sums: usize,
): void {
  const table = tableOf(group);
  let counts = v128.load(sums);
  let sums0 = v128.load(sums, 16);
  let sums1 = v128.load(sums, 32);
  let sums2 = v128.load(sums, 48);
  let sums3 = v128.load(sums, 64);
  for (const end = numbers + rowCount; numbers < end; numbers += stepRows) {
    const ones0 = i8x16.relaxed_swizzle(table, v128.load(numbers));
    const ones16 = i8x16.relaxed_swizzle(table, v128.load(numbers, 16));
    const ones32 = i8x16.relaxed_swizzle(table, v128.load(numbers, 32));
    const ones48 = i8x16.relaxed_swizzle(table, v128.load(numbers, 48));
    counts = i8x16.add(counts, i8x16.add(i8x16.add(ones0, ones16), i8x16.add(ones32, ones48)));
    sums0 = i32x4.add(sums0, dotPlanes<D>(planes, ones0, ones16, ones32, ones48));
    if (width<V>() > 1) {
      const plane = planes + partBytes;
      sums1 = i32x4.add(sums1, dotPlanes<D>(plane, ones0, ones16, ones32, ones48));
    }
    if (width<V>() > 2) {
      const plane = planes + 2 * partBytes;
      sums2 = i32x4.add(sums2, dotPlanes<D>(plane, ones0, ones16, ones32, ones48));
    }
    if (width<V>() > 3) {
      const plane = planes + 3 * partBytes;
      sums3 = i32x4.add(sums3, dotPlanes<D>(plane, ones0, ones16, ones32, ones48));
    }
    planes += stepRows;
  }
  v128.store(sums, counts);
  v128.store(sums, sums0, 16);
  if (width<V>() > 1) v128.store(sums, sums1, 32);
  if (width<V>() > 2) v128.store(sums, sums2, 48);
  if (width<V>() > 3) v128.store(sums, sums3, 64);
}

/** Adds the sums of a block to the count and the sum of one group. */
@inline
function addSums<V>(sums: usize, out: usize): void {
  const count = <i64>sumBytes(v128.load(sums));
  const given = count << 7;
  const low = sumLanes(v128.load(sums, 16), v128.load(sums, 32));
  let sum = given + <i64>i32x4.extract_lane(low, 0);
  if (width<V>() > 1) sum += (given + <i64>i32x4.extract_lane(low, 1)) << 8;
  if (width<V>() > 2) {
    const high = sumLanes(v128.load(sums, 48), v128.load(sums, 64));
    sum += (given + <i64>i32x4.extract_lane(high, 0)) << 16;
    if (width<V>() > 3) sum += (given + <i64>i32x4.extract_lane(high, 1)) << 24;
  }
  store<f64>(out, load<f64>(out) + <f64>count);
  store<f64>(out, load<f64>(out, 8) + <f64>sum, 8);
}

/** The loops of `foldFew`, inlined: V8 optimizes a function when loops of its own have run long enough. */
@inline
function foldBlocks<V, D>(
  numbers: usize,
  values: usize,
  rowCount: i32,
  groupCount: i32,
  present: i32,
  hasNulls: i32,
  scratch: usize,
  out: usize,
): void {
  const sums = scratch + 5 * partBytes;
  memory.fill(out, 0, groupCount << 4);
  memory.fill(sums, 0, groupCount * sumsBytes);
  const pairs = rowCount / (2 * partRows);
  const half = pairs * partRows;
  const partCount = (rowCount + partRows - 1) / partRows;
  for (let part: i32 = 0; part < partCount; part++) {
    // Parts of the first and of the second half of the rows alternate, as long as there are two.
    const isPaired = part < 2 * pairs;
    const isFar = part & 1;
    const row = isPaired ? (part >> 1) * partRows + isFar * half : part * partRows;
    const ahead = isPaired && isFar === 0 ? <usize>half * width<V>() : 0;
    const count = min(rowCount - row, partRows);
    let rows = numbers + row;
    takeApart<V>(values + <usize>row * width<V>(), count, scratch, ahead);
    if (hasNulls !== 0) {
      rows = scratch + 4 * partBytes;
      leaveNullsOut<V>(numbers + row, (count + stepRows - 1) & -stepRows, scratch, rows);
    }
    for (let group: i32 = 0; group < groupCount; group++) {
      if (((present >> group) & 1) === 0) continue;
      foldGroup<V, D>(rows, count, scratch, group, sums + <usize>group * sumsBytes);
    }
    if ((part + 1) % blockParts === 0 || part === partCount - 1) {
      for (let group: i32 = 0; group < groupCount; group++) {
        addSums<V>(sums + <usize>group * sumsBytes, out + (<usize>group << 4));
      }
      memory.fill(sums, 0, groupCount * sumsBytes);
    }
  }
}

@inline
export function foldFew<V>(
  numbers: usize,
  values: usize,
  rowCount: i32,
  groupCount: i32,
  present: i32,
  hasNulls: i32,
  scratch: usize,
  out: usize,
): void {
  if (addsFour()) {
    foldBlocks<V, u32>(numbers, values, rowCount, groupCount, present, hasNulls, scratch, out);
  } else {
    foldBlocks<V, u16>(numbers, values, rowCount, groupCount, present, hasNulls, scratch, out);
  }
}

export function countFew(
  numbers: usize,
  rowCount: i32,
  groupCount: i32,
  present: i32,
  out: usize,
): void {
  for (let group: i32 = 0; group < groupCount; group++) {
    if (((present >> group) & 1) === 0) {
      store<f64>(out + (<usize>group << 4), 0);
      continue;
    }
    const table = tableOf(group);
    let count: i32 = 0;
    let from = numbers;
    for (let left = rowCount; left > 0; left -= blockRows) {
      let counts = i8x16.splat(0);
      for (const end = from + min(left, blockRows); from < end; from += stepRows) {
        const ones0 = i8x16.relaxed_swizzle(table, v128.load(from));
        const ones16 = i8x16.relaxed_swizzle(table, v128.load(from, 16));
        const ones32 = i8x16.relaxed_swizzle(table, v128.load(from, 32));
        const ones48 = i8x16.relaxed_swizzle(table, v128.load(from, 48));
        counts = i8x16.add(counts, i8x16.add(i8x16.add(ones0, ones16), i8x16.add(ones32, ones48)));
      }
      count += sumBytes(counts);
    }
    store<f64>(out + (<usize>group << 4), <f64>count);
  }
}
