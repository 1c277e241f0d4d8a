import { single, warmCalls, warmRowCount } from "./kernelEntry.ts";

type PairKeys = (low: number, high: number, rowCount: number, keys: number) => void;
type DoubleKeys = (vector: number, rowCount: number, keys: number) => void;
type FindGroups = (
  keys: number,
  rowCount: number,
  slots: number,
  slotMask: number,
  groupKeys: number,
  count: number,
  limit: number,
  numbers: number,
) => number;
type Rehash = (
  groupKeys: number,
  fromGroup: number,
  toGroup: number,
  slots: number,
  slotMask: number,
) => void;
type ScatterKeys = (
  groups: number,
  codes: number,
  rowCount: number,
  addend: number,
  shift: number,
  cursors: number,
  areas: number,
  areaRows: number,
  seen: number,
) => void;
type ScatterWhole = (
  groups: number,
  values: number,
  rowCount: number,
  addend: number,
  base: number,
  groupBits: number,
  shift: number,
  cursors: number,
  areas: number,
  areaRows: number,
  seen: number,
) => void;
type ScatterDoubles = (
  groups: number,
  values: number,
  rowCount: number,
  addend: number,
  isHashed: number,
  shift: number,
  cursors: number,
  groupAreas: number,
  valueAreas: number,
  areaRows: number,
  seen: number,
) => void;
type Merge = (target: number, other: number, sizeBytes: number) => void;
type CountBits = (bits: number, sizeBytes: number) => number;

/** Finds groups by hashing, and merges states. Sizes of states are multiples of 16 bytes. */
export const hashing = {
  /** keys (64 bits) = low + high * 2^32, from two 32-bit vectors. */
  pairKeys: single<PairKeys>({
    warm: (pair, { zeros, out }) => pair(zeros, zeros, warmRowCount, out),
  }),
  /** keys = the bits of each double, with -0 as 0 and the same bits for every NaN. */
  doubleKeys: single<DoubleKeys>({
    calls: warmCalls.few,
    warm: (keysOf, { zeros, out }) => keysOf(zeros, warmRowCount, out),
  }),
  /**
   * numbers = the group of each key. A new key is added as a new group. `slots` is an open-addressing table of
   * `slotMask` + 1 32-bit numbers: group + 1, or 0 if empty. `groupKeys` contains the keys by group, and `count` is the
   * address of the number of groups. Stops before a row that would add a group with the number `limit`. Returns the
   * number of rows done; the numbers of later rows are undefined.
   */
  findGroups: single<FindGroups>({
    calls: warmCalls.fold,
    warm: (find, { zeros, slots, keys, count, out }) =>
      find(zeros, warmRowCount, slots, 15, keys, count, 2, out),
  }),
  /** Inserts the groups from `fromGroup` to below `toGroup` into a table of slots that contains none of them. */
  rehash: single<Rehash>({
    warm: (rehash, { zeros, slots, clear }) => {
      clear(slots, 512);
      rehash(zeros, 0, 64, slots, 127);
    },
  }),
  /**
   * Appends the 64-bit key (group + addend) + code * 2^32 of each row to the area of its part, unless the code is 0.
   * The part is hash(key) >> shift. `cursors` contains the number of keys per area, and `areaRows` is the distance of
   * areas in keys. Up to one key after the last one of an area is overwritten. `seen` is a table of 2,048 keys: a key
   * that is in the table is left out, and all other keys are put there in place of older ones.
   */
  scatterKeys: single<ScatterKeys>({
    warm: (scatter, { zeros, count, out }) =>
      scatter(zeros, zeros, warmRowCount, 0, 32, count, out, 1, out),
  }),
  /**
   * Like `scatterKeys`, for keys (group + addend) + (value - base + 1) * 2^groupBits from whole numbers of up to 2^53
   * as doubles. NaNs are left out.
   */
  scatterWhole: single<ScatterWhole>({
    warm: (scatter, { zeros, count, out, clear }) => {
      clear(count, 64);
      scatter(zeros, zeros, warmRowCount, 0, 0, 1, 32, count, out, warmRowCount, out);
    },
  }),
  /**
   * Appends group + addend (32 bits) and value (64 bits) of each row to the two areas of its part, unless the value is
   * NaN. The part is hash(value) >> shift if `isHashed` is 1, otherwise (group + addend) >> shift. Areas are like those
   * of `scatterKeys`. If `isHashed` is 1, `seen` is a table of 2,048 pairs of 16 bytes, value and group, that works
   * like that of `scatterKeys`.
   */
  scatterDoubles: single<ScatterDoubles>({
    warm: (scatter, { zeros, count, out, clear }) => {
      clear(count, 64);
      const values = out + 4 * warmRowCount;
      scatter(zeros, zeros, warmRowCount, 0, 0, 32, count, out, values, 1, zeros);
    },
  }),
  /** target += other, as doubles. */
  addStates: single<Merge>({
    warm: (add, { zeros, out }) => add(out, zeros, 8 * warmRowCount),
  }),
  /** target = min(target, other), as doubles. */
  leastStates: single<Merge>({
    warm: (least, { zeros, out }) => least(out, zeros, 8 * warmRowCount),
  }),
  /** target |= other. */
  orBits: single<Merge>({
    warm: (or, { zeros, out }) => or(out, zeros, 8 * warmRowCount),
  }),
  /** target += other, as 32-bit numbers. */
  addCounts: single<Merge>({
    warm: (add, { zeros, out }) => add(out, zeros, 8 * warmRowCount),
  }),
  /** Returns the number of bits that are set. */
  countBits: single<CountBits>({
    warm: (count, { zeros }) => count(zeros, 8 * warmRowCount),
  }),
};
