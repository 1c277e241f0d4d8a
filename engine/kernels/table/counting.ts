import { byNumber, byWidth, single, warmCalls, warmRowCount } from "./kernelEntry.ts";

type Bucket = (
  vector: number,
  rowCount: number,
  low: number,
  factor: number,
  bucketCount: number,
  buckets: number,
) => void;
type FoldHistogram = (
  numbers: number,
  buckets: number,
  rowCount: number,
  counts: number,
  bucketCount: number,
) => void;
type Collect = (
  numbers: number,
  buckets: number,
  vector: number,
  rowCount: number,
  wanted: number,
  bucketCount: number,
  cursors: number,
  out: number,
) => void;
type MarkStored = (
  numbers: number,
  values: number,
  rowCount: number,
  offset: number,
  bits: number,
  strideBytes: number,
  scratch: number,
) => void;
type CountStored = (
  numbers: number,
  values: number,
  rowCount: number,
  offset: number,
  shift: number,
  counts: number,
  stride: number,
) => void;
type FindStored = (
  numbers: number,
  values: number,
  rowCount: number,
  offset: number,
  shift: number,
  wanted: number,
  stride: number,
  found: number,
) => number;
type CountFound = (found: number, foundCount: number, shift: number, counts: number) => void;
type CountWanted = (
  numbers: number,
  varies: number,
  values: number,
  rowCount: number,
  offset: number,
  shift: number,
  wanted: number,
  stride: number,
  layers: number,
  layerCount: number,
  counts: number,
) => void;
type PlaceFound = (
  found: number,
  foundCount: number,
  base: number,
  cursors: number,
  out: number,
) => void;

/**
 * These kernels build histograms and bitmaps of values by group, for percentiles and exact distinct counts. Counters
 * have 32 bits.
 */
export const counting = {
  /** buckets = 1 + floor((value - low) * factor), clamped to 1 and `bucketCount` - 1; 0 for NaN. */
  bucket: single<Bucket>({
    warm: (bucket, { zeros, out }) => bucket(zeros, warmRowCount, 0, 1, 4, out),
  }),
  /** counts[number * bucketCount + bucket] += 1. */
  foldHistogram: single<FoldHistogram>({
    calls: warmCalls.fold,
    warm: (fold, { zeros, out }) => fold(zeros, zeros, warmRowCount, out, 4),
  }),
  /**
   * out[cursors[slot - 1]++] = value, where slot = wanted[number * bucketCount + bucket] is not 0. Slots and cursors
   * have 32 bits.
   */
  collect: single<Collect>({
    calls: warmCalls.fold,
    warm: (collect, { zeros, out }) =>
      collect(zeros, zeros, zeros, warmRowCount, zeros, 4, out, out),
  }),
  /**
   * Sets bit `stored + offset`, or bit 0 where stored is 0, in the bitmap at bits + number * strideBytes. Overwrites
   * `markScratchBytes` of `scratch`.
   */
  markStored: byNumber<MarkStored>({
    calls: warmCalls.few,
    warm: (mark, { zeros, out }) =>
      mark(zeros, zeros, warmRowCount, 0, out, 4, out + 8 * warmRowCount),
  }),
  /**
   * counts[number * stride + bucket] += 1, where bucket = stored === 0 ? 0 : (stored + offset) >> shift. `stored +
   * offset` is below 2^32.
   */
  countStored: byNumber<CountStored>({
    calls: warmCalls.bucket,
    warm: (count, { zeros, out }) => count(zeros, zeros, warmRowCount, 0, 0, out, 4),
  }),
  /**
   * Lists the rows whose slot = wanted[number * stride + bucket] is not 0, in order, as two words per row in `found`:
   * slot - 1 and stored + offset. Buckets are numbered as for `countStored`. Returns the number of rows found.
   */
  findStored: byNumber<FindStored>({
    calls: warmCalls.bucket,
    warm: (find, { zeros, out }) => find(zeros, zeros, warmRowCount, 0, 0, zeros, 4, out),
  }),
  /** counts[word0 * 2^shift + word1 % 2^shift] += 1, for the two words of each row that `findStored` found. */
  countFound: single<CountFound>({
    warm: (count, { zeros, out }) => count(zeros, warmRowCount, 0, out),
  }),
  /**
   * counts[(slot - 1) * 2^shift + (stored + offset) % 2^shift] += 1, for the rows that `findStored` would find, if all
   * buckets are below 255. `numbers` has one byte per row, below 64; only the bits that are set in `varies` are used. A
   * layer has 64 bytes: for each group number, a wanted bucket, or 255 if there is none. Each wanted bucket is in one
   * of the layers.
   */
  countWanted: byWidth<CountWanted>({
    calls: warmCalls.bucket,
    warm: (count, { zeros, out }) =>
      count(zeros, 0, zeros, warmRowCount, 0, 0, zeros, 0, zeros, 1, out),
  }),
  /** out[cursors[word0]++] = base + word1, for the two words of each row that `findStored` found. */
  placeFound: single<PlaceFound>({
    warm: (place, { zeros, count, out, clear }) => {
      clear(count, 16);
      place(zeros, warmRowCount, 0, count, out);
    },
  }),
};
