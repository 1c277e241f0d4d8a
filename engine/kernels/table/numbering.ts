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
type Place = (
  values: number,
  rowCount: number,
  scale: number,
  offset: number,
  limit: number,
  places: number,
) => void;
type PlaceDoubles = (
  vector: number,
  rowCount: number,
  base: number,
  limit: number,
  places: number,
) => void;
type FindRows = (
  vector: number,
  rowCount: number,
  keys: number,
  places: number,
  slotMask: number,
  found: number,
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
 * group numbers. If `isFirst` is 1, it overwrites them instead.
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
   * places = the place of each stored number in a table with `limit` entries: stored * scale + offset, or 0 if that is
   * not below `limit`, or if the stored number is 0. `scale` and `offset` are signed.
   */
  place: byWidth<Place>({
    calls: warmCalls.few,
    warm: (place, { zeros, out }) => place(zeros, warmRowCount, 1, 0, 1, out),
  }),
  /** places = value - base + 1 for whole doubles for which this is at least 1 and below `limit`, otherwise 0. */
  placeDoubles: single<PlaceDoubles>({
    calls: warmCalls.few,
    warm: (place, { zeros, out }) => place(zeros, warmRowCount, 0, 2, out),
  }),
  /** found = the place of the key that equals the double; 0 if there is none. See `RowIndex`, kind `hash`. */
  findRows: single<FindRows>({
    warm: (find, { zeros, out }) => find(zeros, warmRowCount, zeros, zeros, 0, out),
  }),
  /**
   * numbers += stride * (day === 0 ? 0 : first[day] + (time >= second[day]) + (time >= third[day])). `days` and `times`
   * are 32-bit vectors. The table contains three 32-bit numbers per day: the group number at midnight UTC, and the
   * times of day at which the second and the third group start.
   */
  numberDayTime: single<NumberDayTime>({
    calls: warmCalls.fold,
    warm: (number, { zeros, out }) => number(zeros, zeros, warmRowCount, zeros, 1, out, 1),
  }),
};
