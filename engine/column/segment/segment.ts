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

/** Reads what `writeSegment` wrote, at an index of a directory. `times` lie in the arena of `values`. */
export function readSegment(records: Float64Array<ArrayBufferLike>, at = 0): Segment {
  const arena = records[at + 2];
  const segment: { -readonly [Member in keyof Segment]: Segment[Member] } = {
    form: forms[records[at]],
    rowCount: records[at + 1],
    bias: records[at + 7],
    scale: records[at + 8],
    timeScale: records[at + 9],
    decimals: records[at + 10],
    nullCount: records[at + 11],
    minimum: records[at + 12],
    maximum: records[at + 13],
    sum: records[at + 14],
  };
  if (arena >= 0)
    segment.values = {
      arena,
      offset: records[at + 3],
      width: records[at + 4] as StoredValues["width"],
    };
  if (records[at + 5] >= 0)
    segment.times = {
      arena,
      offset: records[at + 5],
      width: records[at + 6] as StoredValues["width"],
    };
  return segment;
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
