/** Rows of a row group: the unit of pruning, of narrowing and of cancellation. */
export const rowGroupSize = 65_536;

/**
 * Physical forms of a segment.
 *
 * - `null`: every row is null; no memory.
 * - `whole`: value = (bias + stored * scale) / 10^decimals, stored unsigned, 1 to 4 bytes, 0 is null. Decimals are 0 for
 *   whole numbers and datetimes.
 * - `code`: the dictionary's code plus one, unsigned, 1 to 4 bytes, 0 is null.
 * - `float`: the value itself, 4 or 8 bytes, NaN is null.
 * - `dayTime`: a datetime whose range passes `whole`: ms = (bias + stored * scale) * 86,400,000 + storedTime * timeScale;
 *   `values` are the days (scale 1, 0 is null), `times` the milliseconds of the day in steps of `timeScale`.
 */
export type SegmentForm = "null" | "whole" | "code" | "float" | "dayTime";

/** Where stored values lie: `width` bytes a row (3: packed little-endian) from byte `offset` of an arena, with 64 readable bytes behind them. */
export interface StoredValues {
  readonly arena: number;
  readonly offset: number;
  readonly width: 1 | 2 | 3 | 4 | 8;
}

/** One column's values of one row group, with its zone map and small aggregates. */
export interface Segment {
  readonly form: SegmentForm;
  readonly rowCount: number;
  /** Absent in the form `null`. */
  readonly values?: StoredValues;
  /** In the form `dayTime` only, and absent there when every time is midnight. */
  readonly times?: StoredValues;
  readonly bias: number;
  readonly scale: number;
  readonly timeScale: number;
  /** Digits after the point that every value fits in exactly: value * 10^decimals is whole, within 2^53. -1 when there is no such number up to 6. */
  readonly decimals: number;
  readonly nullCount: number;
  /** Values; of a text, bounds of the stored codes. NaN when every row is null. */
  readonly minimum: number;
  readonly maximum: number;
  /** Sum of value * 10^decimals when that is whole and exact (decimals >= 0 and below 2^53), else NaN. NaN for codes and datetimes. */
  readonly sum: number;
}

/** Doubles of one segment's record in a directory; see `writeSegment`. */
export const segmentRecordDoubles = 16;

const forms: readonly SegmentForm[] = ["null", "whole", "code", "float", "dayTime"];

/** Writes a segment as `segmentRecordDoubles` doubles, so that threads read it without copying objects. */
export function writeSegment(record: Float64Array, segment: Segment): void {
  record[0] = forms.indexOf(segment.form);
  record[1] = segment.rowCount;
  record[2] = segment.values?.arena ?? -1;
  record[3] = segment.values?.offset ?? 0;
  record[4] = segment.values?.width ?? 0;
  record[5] = segment.times?.offset ?? -1;
  record[6] = segment.times?.width ?? 0;
  record[7] = segment.bias;
  record[8] = segment.scale;
  record[9] = segment.timeScale;
  record[10] = segment.decimals;
  record[11] = segment.nullCount;
  record[12] = segment.minimum;
  record[13] = segment.maximum;
  record[14] = segment.sum;
}

/** Reads what `writeSegment` wrote. `times` lie in the arena of `values`. */
export function readSegment(record: Float64Array): Segment {
  const arena = record[2];
  return {
    form: forms[record[0]],
    rowCount: record[1],
    ...(arena >= 0 && {
      values: { arena, offset: record[3], width: record[4] as StoredValues["width"] },
    }),
    ...(record[5] >= 0 && {
      times: { arena, offset: record[5], width: record[6] as StoredValues["width"] },
    }),
    bias: record[7],
    scale: record[8],
    timeScale: record[9],
    decimals: record[10],
    nullCount: record[11],
    minimum: record[12],
    maximum: record[13],
    sum: record[14],
  };
}

/** Makes the segment of rows that are all null; it holds no memory. */
export function createNullSegment(rowCount: number): Segment {
  return {
    form: "null",
    rowCount,
    bias: 0,
    scale: 1,
    timeScale: 1,
    decimals: 0,
    nullCount: rowCount,
    minimum: NaN,
    maximum: NaN,
    sum: 0,
  };
}
