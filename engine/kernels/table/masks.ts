import { byFloat, byWidth, callsByWidth, single, warmCalls, warmRowCount } from "./kernelEntry.ts";

type Range = (values: number, rowCount: number, low: number, high: number, mask: number) => void;
type NullMask = (values: number, rowCount: number, mask: number) => void;
type Lookup = (values: number, rowCount: number, table: number, mask: number) => void;
type Member = (values: number, rowCount: number, set: number, bound: number, mask: number) => void;
type CountBoth = (left: number, right: number, rowCount: number, mask: number) => number;
type Either = (left: number, right: number, rowCount: number, mask: number) => void;
type Not = (of: number, rowCount: number, mask: number) => void;
type Select = (mask: number, rowCount: number, table: number, selection: number) => number;
type CountMask = (mask: number, rowCount: number) => number;

/** Filters: masks of rows, and the selections that are created from them. */
export const masks = {
  /** mask = low <= stored <= high, unsigned. The bounds are any doubles; with NaN, no row passes. */
  range: byWidth<Range>({
    calls: callsByWidth,
    warm: (range, { zeros, out }) => range(zeros, warmRowCount, 1, 2, out),
  }),
  /** mask = low <= value <= high; false for NaN. */
  rangeFloat: byFloat<Range>({
    calls: warmCalls.block,
    warm: (range, { zeros, out }) => range(zeros, warmRowCount, 1, 2, out),
  }),
  /** mask = value is NaN. */
  nullFloat: byFloat<NullMask>({
    calls: (width) => (width === 4 ? warmCalls.wide : warmCalls.few),
    warm: (isNull, { zeros, out }) => isNull(zeros, warmRowCount, out),
  }),
  /** mask = table[stored]. The table contains a byte, 0 or 1, for each stored value. */
  lookup: byWidth<Lookup>({
    warm: (lookup, { zeros, out }) => lookup(zeros, warmRowCount, zeros, out),
  }),
  /** mask = bit `stored` of the 256 bits at `set`. Stored values are bytes below `bound`, which is at most 256. */
  member: single<Member>({
    calls: warmCalls.block,
    warm: (member, { zeros, out }) => {
      // The kernel has a separate loop for each of these bounds.
      for (const bound of [16, 128, 256]) member(zeros, warmRowCount, zeros, bound, out);
    },
  }),
  /** mask = left & right. Returns the number of ones. */
  andMask: single<CountBoth>({
    calls: warmCalls.byte,
    warm: (and, { zeros, out }) => and(zeros, zeros, 2 * warmRowCount, out),
  }),
  /** mask = left | right. */
  orMask: single<Either>({
    calls: warmCalls.byte,
    warm: (or, { zeros, out }) => or(zeros, zeros, warmRowCount, out),
  }),
  /** mask = 1 - of. */
  notMask: single<Not>({
    calls: warmCalls.byte,
    warm: (not, { zeros, out }) => not(zeros, warmRowCount, out),
  }),
  /**
   * selection = the rows below `rowCount` whose byte in the mask is 1, ascending. Returns the number of these rows.
   * `table` is `selectingTable`.
   */
  select: single<Select>({
    calls: warmCalls.block,
    warm: (select, { zeros, out }) => select(zeros, warmRowCount, zeros, out),
  }),
  /**
   * Removes rows from a selection of `rowCount` rows, in place: keeps row `selection[i]` if mask[i] is 1. Returns the
   * number of rows kept. `table` is `selectingTable`.
   */
  narrow: single<Select>({
    calls: warmCalls.block,
    warm: (narrow, { zeros, out }) => narrow(zeros, warmRowCount, zeros, out),
  }),
  /** Returns the number of ones in a mask. */
  countMask: single<CountMask>({
    calls: warmCalls.byte,
    warm: (count, { zeros }) => count(zeros, 4 * warmRowCount),
  }),
};
