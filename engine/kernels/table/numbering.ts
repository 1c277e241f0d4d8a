import { byWidth, single, warmCalls, warmRowCount } from "./kernelEntry.ts";

type NumberStored = (
  values: number,
  rowCount: number,
  offset: number,
  stride: number,
  numbers: number,
  isFirst: number,
) => void;
type NumberSelected = (
  values: number,
  selection: number,
  rowCount: number,
  offset: number,
  stride: number,
  numbers: number,
  isFirst: number,
) => void;
type NumberLookup = (
  values: number,
  rowCount: number,
  table: number,
  stride: number,
  numbers: number,
  isFirst: number,
) => void;
type NumberLookupSelected = (
  values: number,
  selection: number,
  rowCount: number,
  table: number,
  stride: number,
  numbers: number,
  isFirst: number,
) => void;
type NumberThresholds = (
  vector: number,
  rowCount: number,
  thresholds: number,
  thresholdCount: number,
  first: number,
  stride: number,
  numbers: number,
  isFirst: number,
) => void;
type NumberWhole = (
  vector: number,
  rowCount: number,
  base: number,
  stride: number,
  numbers: number,
  isFirst: number,
) => void;
type NumberDayTime = (
  days: number,
  times: number,
  rowCount: number,
  table: number,
  stride: number,
  numbers: number,
  isFirst: number,
) => void;

/**
 * Kernels that compute the group numbers of rows, key by key. Each kernel adds `stride` times its key's number to the
 * numbers, or overwrites the numbers with it if `isFirst` is 1.
 */
export const numbering = {
  /** numbers += stride * (stored === 0 ? 0 : stored + offset). `offset` is signed. */
  number: byWidth<NumberStored>({
    calls: warmCalls.few,
    warm: (number, { zeros, out }) => number(zeros, warmRowCount, 0, 1, out, 1),
  }),
  /** Like `number`, for the rows of a selection. */
  numberSelected: byWidth<NumberSelected>({
    warm: (number, { zeros, out }) => number(zeros, zeros, warmRowCount, 0, 1, out, 1),
  }),
  /** numbers += stride * table[stored]. The table contains 32-bit numbers. */
  numberLookup: byWidth<NumberLookup>({
    warm: (number, { zeros, out }) => number(zeros, warmRowCount, zeros, 1, out, 1),
  }),
  /** Like `numberLookup`, for the rows of a selection. */
  numberLookupSelected: byWidth<NumberLookupSelected>({
    warm: (number, { zeros, out }) => number(zeros, zeros, warmRowCount, zeros, 1, out, 1),
  }),
  /**
   * numbers += stride * (NaN ? 0 : first + number of thresholds that are at most the value). `vector` and the ascending
   * `thresholds` are doubles.
   */
  numberThresholds: single<NumberThresholds>({
    calls: warmCalls.fold,
    warm: (number, { zeros, out }) => number(zeros, warmRowCount, zeros, 20, 0, 1, out, 1),
  }),
  /** numbers += stride * (NaN ? 0 : value - base + 1), over a vector of whole doubles. */
  numberWhole: single<NumberWhole>({
    warm: (number, { zeros, out }) => number(zeros, warmRowCount, 0, 1, out, 1),
  }),
  /**
   * numbers += stride * (day === 0 ? 0 : first[day] + (time >= second[day]) + (time >= third[day])). `days` and `times`
   * are 32-bit vectors. The table contains three 32-bit numbers per day: the group number at midnight UTC, then the
   * times of day at which the second and the third group start.
   */
  numberDayTime: single<NumberDayTime>({
    calls: warmCalls.fold,
    warm: (number, { zeros, out }) => number(zeros, zeros, warmRowCount, zeros, 1, out, 1),
  }),
};
