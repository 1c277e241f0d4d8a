/** Number of rows in a row group, which is the unit of pruning, sealing and cancellation. */
export const rowGroupSize = 65_536;

/** Bytes per stored whole number or code; numbers of 3 bytes are packed little-endian. */
export type StoredWidth = 1 | 2 | 3 | 4;

/** Bytes per stored float. */
export type FloatWidth = 4 | 8;

/**
 * The location of stored values: `width` bytes per row, starting at byte `offset` of an arena. The 64 bytes after the
 * values are readable.
 */
export interface StoredValues<Width extends StoredWidth | FloatWidth = StoredWidth | FloatWidth> {
  readonly arena: number;
  readonly offset: number;
  readonly width: Width;
}

/** Zone map and precomputed aggregates of a segment. */
interface SegmentZone {
  readonly rowCount: number;
  /**
   * Number of decimals with which every value is exact: value * 10^decimals is whole and within 2^53. -1 if no number
   * of decimals up to 6 is enough.
   */
  readonly decimals: number;
  readonly nullCount: number;
  /** Bounds of the values; for text columns, bounds of the stored codes. NaN if every row is null. */
  readonly minimum: number;
  readonly maximum: number;
  /**
   * Sum of value * 10^decimals if it is whole and exact (decimals of at least 0, sum below 2^53), otherwise NaN. Always
   * NaN for codes and datetimes.
   */
  readonly sum: number;
}

/** A segment in which every row is null. Uses no memory. */
export interface NullSegment extends SegmentZone {
  readonly form: "null";
  readonly values?: undefined;
}

/**
 * value = (bias + stored * scale) / 10^decimals, where `stored` is unsigned and 0 is null. Decimals are 0 for whole
 * numbers and datetimes.
 */
export interface WholeSegment extends SegmentZone {
  readonly form: "whole";
  readonly values: StoredValues<StoredWidth>;
  readonly bias: number;
  readonly scale: number;
}

/** The stored value is the dictionary code plus one, unsigned; 0 is null. */
export interface CodeSegment extends SegmentZone {
  readonly form: "code";
  readonly values: StoredValues<StoredWidth>;
}

/** The stored value is the value as a float; NaN is null. */
export interface FloatSegment extends SegmentZone {
  readonly form: "float";
  readonly values: StoredValues<FloatWidth>;
}

/**
 * Datetimes whose range is too large for `WholeSegment`: ms = (bias + stored day) * 86,400,000 + stored time *
 * timeScale. Day 0 is null.
 */
export interface DayTimeSegment extends SegmentZone {
  readonly form: "dayTime";
  /** The stored days; 0 is null. */
  readonly values: StoredValues<StoredWidth>;
  /** Times of day, in the same arena as the days; absent if every time is midnight. */
  readonly times?: StoredValues<StoredWidth>;
  readonly bias: number;
  readonly timeScale: number;
}

/** A segment whose stored values are unsigned whole numbers, 0 for null. */
export type IntegerSegment = WholeSegment | CodeSegment | DayTimeSegment;

/** The values of one column in one row group, with their zone map and precomputed aggregates. */
export type Segment = NullSegment | FloatSegment | IntegerSegment;

/** Doubles per segment record in a directory; see `writeSegment`. */
export const segmentRecordDoubles = 16;

/** The forms of segments. The record of a segment stores its form as an index into this list. */
const forms: readonly Segment["form"][] = ["null", "whole", "code", "float", "dayTime"];
const storedWidths: readonly StoredWidth[] = [1, 2, 3, 4];

/** Writes a segment as `segmentRecordDoubles` doubles, so that threads can read it without copying objects. */
export function writeSegment(record: Float64Array, segment: Segment): void {
  const { form, values } = segment;
  const times = timesOf(segment);
  record[0] = forms.indexOf(form);
  record[1] = segment.rowCount;
  record[2] = values?.arena ?? -1;
  record[3] = values?.offset ?? 0;
  record[4] = values?.width ?? 0;
  record[5] = times?.offset ?? -1;
  record[6] = times?.width ?? 0;
  record[7] = form === "whole" || form === "dayTime" ? segment.bias : 0;
  record[8] = form === "whole" ? segment.scale : 1;
  record[9] = form === "dayTime" ? segment.timeScale : 1;
  record[10] = segment.decimals;
  record[11] = segment.nullCount;
  record[12] = segment.minimum;
  record[13] = segment.maximum;
  record[14] = segment.sum;
}

/** Reads the segment that `writeSegment` wrote at index `at` of the records. */
export function readSegment(records: Float64Array<ArrayBufferLike>, at = 0): Segment {
  const form = forms[records[at]];
  const rowCount = records[at + 1];
  const arena = records[at + 2];
  const offset = records[at + 3];
  const bias = records[at + 7];
  const decimals = records[at + 10];
  const nullCount = records[at + 11];
  const minimum = records[at + 12];
  const maximum = records[at + 13];
  const sum = records[at + 14];
  // Each object literal is written out, because spreading a common part takes four times as long, and queries read a
  // record for each row group.
  switch (form) {
    case "null":
      return { form, rowCount, decimals, nullCount, minimum, maximum, sum };
    case "whole": {
      const values = { arena, offset, width: storedWidths[records[at + 4] - 1] };
      const scale = records[at + 8];
      return { form, rowCount, decimals, nullCount, minimum, maximum, sum, values, bias, scale };
    }
    case "code": {
      const values = { arena, offset, width: storedWidths[records[at + 4] - 1] };
      return { form, rowCount, decimals, nullCount, minimum, maximum, sum, values };
    }
    case "float": {
      const values: StoredValues<FloatWidth> = {
        arena,
        offset,
        width: records[at + 4] === 4 ? 4 : 8,
      };
      return { form, rowCount, decimals, nullCount, minimum, maximum, sum, values };
    }
    case "dayTime": {
      const values = { arena, offset, width: storedWidths[records[at + 4] - 1] };
      const timeScale = records[at + 9];
      if (records[at + 5] < 0)
        return {
          form,
          rowCount,
          decimals,
          nullCount,
          minimum,
          maximum,
          sum,
          values,
          bias,
          timeScale,
        };
      const times = { arena, offset: records[at + 5], width: storedWidths[records[at + 6] - 1] };
      return {
        form,
        rowCount,
        decimals,
        nullCount,
        minimum,
        maximum,
        sum,
        values,
        bias,
        timeScale,
        times,
      };
    }
  }
}

/** Returns the stored times of a segment; undefined if it has none. */
export function timesOf(segment: Segment): StoredValues<StoredWidth> | undefined {
  return segment.form === "dayTime" ? segment.times : undefined;
}

/** Returns a segment in which all values are null. It uses no memory. */
export function createNullSegment(rowCount: number): Segment {
  return {
    form: "null",
    rowCount,
    decimals: 0,
    nullCount: rowCount,
    minimum: NaN,
    maximum: NaN,
    sum: 0,
  };
}
