/** Rows of a row group: the unit of pruning, of narrowing and of cancellation. */
export const rowGroupSize = 65_536;

/** Physical forms of a segment. In `whole` and `code` the stored 0 is null; in `float` NaN is. */
export type SegmentForm = "null" | "float" | "whole" | "code";

export type SegmentValues =
  | Uint8Array
  | Uint16Array
  | Uint32Array
  | Int32Array
  | Float32Array
  | Float64Array;

/**
 * One column's values of one row group, in shared memory, with its zone map. A `whole` value is
 * `bias + stored * scale`; a `code` is the dictionary's code plus one. `minimum` and `maximum` are NaN
 * when every row is null; of a text they are bounds of the stored codes.
 */
export interface Segment {
  readonly form: SegmentForm;
  readonly values: SegmentValues | undefined;
  readonly bias: number;
  readonly scale: number;
  readonly nullCount: number;
  readonly minimum: number;
  readonly maximum: number;
  /** Every value is an integer within ±2^53. */
  readonly isWhole: boolean;
}

/** What is known of the values of a row group that still fills. */
export interface ZoneMap {
  nullCount: number;
  minimum: number;
  maximum: number;
  isWhole: boolean;
  hasNegativeZero: boolean;
}

/** Makes the zone map of no rows. */
export function createZoneMap(): ZoneMap {
  return { nullCount: 0, minimum: NaN, maximum: NaN, isWhole: true, hasNegativeZero: false };
}

/** Makes the segment of rows that are all null; it holds no memory. */
export function createNullSegment(rowCount: number): Segment {
  return {
    form: "null",
    values: undefined,
    bias: 0,
    scale: 1,
    nullCount: rowCount,
    minimum: NaN,
    maximum: NaN,
    isWhole: true,
  };
}

type UnsignedArray = Uint8Array | Uint16Array | Uint32Array;

/** Allocates the narrowest unsigned array in shared memory that holds `maximum`. */
export function allocateUnsigned(maximum: number, length: number): UnsignedArray {
  if (maximum < 2 ** 8) return new Uint8Array(new SharedArrayBuffer(length));
  if (maximum < 2 ** 16) return new Uint16Array(new SharedArrayBuffer(length * 2));
  return new Uint32Array(new SharedArrayBuffer(length * 4));
}

/** Allocates doubles in shared memory. */
export function allocateDoubles(length: number): Float64Array {
  return new Float64Array(new SharedArrayBuffer(length * 8));
}
