import {
  byFloat,
  byWidth,
  byTwoWidths,
  callsByWidth,
  single,
  warmCalls,
  warmRowCount,
} from "./kernelEntry.ts";

type FoldRows = (
  numbers: number,
  rowCount: number,
  state: number,
  strideBytes: number,
  copyBytes: number,
) => void;
type FoldVector = (
  numbers: number,
  vector: number,
  rowCount: number,
  state: number,
  strideBytes: number,
  copyBytes: number,
) => void;
type FoldPair = (
  numbers: number,
  left: number,
  right: number,
  rowCount: number,
  state: number,
  strideBytes: number,
  copyBytes: number,
) => void;
type FoldStored = (
  numbers: number,
  values: number,
  rowCount: number,
  scale: number,
  bias: number,
  state: number,
  strideBytes: number,
  copyBytes: number,
) => void;
type FoldVariance = (
  numbers: number,
  vector: number,
  rowCount: number,
  state: number,
  strideBytes: number,
) => void;
type FoldCovariance = (
  numbers: number,
  left: number,
  right: number,
  rowCount: number,
  state: number,
) => void;
type Total = (values: number, rowCount: number, out: number) => void;
type TotalMasked = (values: number, mask: number, rowCount: number, out: number) => void;

/** Folds over groups, and over all rows. */
export const folds = {
  /** slot[0] += 1. */
  foldRows: single<FoldRows>({
    warm: (fold, { zeros, out }) => fold(zeros, warmRowCount, out, 16, 64),
  }),
  /** slot[0] += 1, slot[1] += value, where the value is not NaN. */
  foldCountSum: single<FoldVector>({
    calls: warmCalls.fold,
    warm: (fold, { zeros, out }) => fold(zeros, zeros, warmRowCount, out, 16, 64),
  }),
  /** slot[0] += left, slot[1] += right. No value is NaN. */
  foldPair: single<FoldPair>({
    calls: warmCalls.fold,
    warm: (fold, { zeros, out }) => fold(zeros, zeros, zeros, warmRowCount, out, 16, 64),
  }),
  /** slot[0] += 1, slot[1] += bias + stored * scale, directly from stored whole numbers without nulls. */
  foldStored: byTwoWidths<FoldStored>({
    calls: warmCalls.fold,
    warm: (fold, { zeros, out }) => fold(zeros, zeros, warmRowCount, 1, 0, out, 16, 64),
  }),
  /** slot[0] = min(slot[0], value), slot[1] = min(slot[1], -value). Both start as Infinity. NaN is skipped. */
  foldExtent: single<FoldVector>({
    warm: (fold, { zeros, out }) => fold(zeros, zeros, warmRowCount, out, 16, 64),
  }),
  /**
   * Folds into two slots (Welford 1962). The first contains the count and the mean, the second the sum of squared
   * differences and 0. NaN is skipped. The state has one copy.
   */
  foldVariance: single<FoldVariance>({
    calls: warmCalls.fold,
    warm: (fold, { zeros, out }) => fold(zeros, zeros, warmRowCount, out, 32),
  }),
  /**
   * Folds into three slots: the count and the sum of products of differences; the two means; the sums of squared
   * differences. Rows in which either number is NaN are skipped. The state has one copy.
   */
  foldCovariance: single<FoldCovariance>({
    calls: warmCalls.fold,
    warm: (fold, { zeros, out }) => fold(zeros, zeros, zeros, warmRowCount, out),
  }),
  /**
   * out[0] = sum of stored (exact), out[1] = number of stored values that are not 0. `rowCount` is at most 65,536, as
   * in all totals.
   */
  total: byWidth<Total>({
    calls: callsByWidth,
    warm: (total, { zeros, out }) => total(zeros, warmRowCount, out),
  }),
  /** Like `total`, for the rows whose byte in the mask is 1. */
  totalMasked: byWidth<TotalMasked>({
    calls: warmCalls.byte,
    warm: (total, { zeros, out }) => total(zeros, zeros, warmRowCount, out),
  }),
  /** out[0] = sum, out[1] = number of the values that are not NaN. Eight running sums are added pairwise at the end. */
  totalFloat: byFloat<Total>({
    warm: (total, { zeros, out }) => total(zeros, warmRowCount, out),
  }),
  /** out[0] = minimum, out[1] = -maximum of the values that are not NaN; Infinity if there are none. */
  extent: single<Total>({
    calls: warmCalls.few,
    warm: (extent, { zeros, out }) => extent(zeros, warmRowCount, out),
  }),
};
