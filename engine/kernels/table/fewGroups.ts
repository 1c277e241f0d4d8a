import { byFloat, byWidth, callsByWidth, single, warmCalls, warmRowCount } from "./kernelEntry.ts";

type NumberFew = (
  codes: number,
  rowCount: number,
  first: number,
  stride: number,
  numbers: number,
  isFirst: number,
) => void;
type NarrowFew = (wide: number, rowCount: number, numbers: number) => void;
type LeaveOut = (mask: number, rowCount: number, numbers: number) => number;
type LeaveNulls = (numbers: number, values: number, rowCount: number, to: number) => number;
type CountFew = (
  numbers: number,
  rowCount: number,
  groupCount: number,
  present: number,
  out: number,
) => void;
type FoldFew = (
  numbers: number,
  values: number,
  rowCount: number,
  groupCount: number,
  present: number,
  hasNulls: number,
  scratch: number,
  out: number,
) => void;

/**
 * Folds over at most 16 groups, one group at a time in registers. The numbers have one byte per row: 0 to 15 is a
 * group, and 128 to 255 excludes the row. Written numbers are padded with excluded rows to whole blocks of 64.
 */
export const fewGroups = {
  /**
   * numbers += stride * (code - first), or numbers = stride * (code - first) if `isFirst` is 1. `codes` are bytes from
   * `first` to `first + 15`.
   */
  numberFew: single<NumberFew>({
    calls: warmCalls.byte,
    warm: (number, { zeros, out }) => number(zeros, warmRowCount, 0, 1, out, 1),
  }),
  /** Narrows the 32-bit numbers at `wide`, all of them below 16, to single bytes at `numbers`. */
  narrowFew: single<NarrowFew>({
    calls: warmCalls.byte,
    warm: (narrow, { zeros, out }) => narrow(zeros, warmRowCount, out),
  }),
  /**
   * Excludes the rows whose byte in the mask is 0. Returns the set of groups that still have rows: bit `g` for group
   * `g`.
   */
  leaveOut: single<LeaveOut>({
    calls: warmCalls.byte,
    warm: (leave, { zeros, out }) => leave(zeros, warmRowCount, out),
  }),
  /** to = numbers, excluding the rows whose stored value is 0. Returns the set of groups that still have rows. */
  leaveNulls: byWidth<LeaveNulls>({
    calls: callsByWidth,
    warm: (leave, { zeros, out }) => leave(zeros, zeros, warmRowCount, out),
  }),
  /** to = numbers, excluding the rows whose value is NaN. Returns the set of groups that still have rows. */
  leaveNullFloats: byFloat<LeaveNulls>({
    generic: "leaveNulls",
    calls: warmCalls.block,
    warm: (leave, { zeros, out }) => leave(zeros, zeros, warmRowCount, out),
  }),
  /** out[2 * i] = number of rows in group i; 0 where bit `i` of `present` is not set. */
  countFew: single<CountFew>({
    warm: (count, { zeros, out }) => count(zeros, warmRowCount, 16, -1, out),
  }),
  /**
   * out[2 * i] = number, and out[2 * i + 1] = sum (exact), of the stored values in group i that are not 0. Both are 0
   * where bit `i` of `present` is not set. `hasNulls` is 1 if a stored value may be 0. Overwrites `fewScratchBytes` of
   * `scratch`.
   */
  foldFew: byWidth<FoldFew>({
    warm: (fold, { zeros, out }) =>
      fold(zeros, zeros, warmRowCount, 16, -1, 1, out, out + 12 * warmRowCount),
  }),
};
