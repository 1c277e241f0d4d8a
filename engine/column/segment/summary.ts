import type { Segment } from "./segment.ts";

/** Summary of all values in a column. */
export interface ColumnSummary {
  readonly nullCount: number;
  /** Bounds of the values; for text columns, bounds of the stored codes. NaN if every row is null. */
  readonly minimum: number;
  readonly maximum: number;
  /** Number of decimals that is enough for every value; -1 if there is no such number. */
  readonly decimals: number;
}

/** The summary of a column without rows. */
export const emptySummary: ColumnSummary = {
  nullCount: 0,
  minimum: NaN,
  maximum: NaN,
  decimals: 0,
};

/** Returns a summary extended by a segment. */
export function summarize(summary: ColumnSummary, segment: Segment): ColumnSummary {
  const isLess = segment.minimum < summary.minimum || summary.minimum !== summary.minimum;
  const isGreater = segment.maximum > summary.maximum || summary.maximum !== summary.maximum;
  return {
    nullCount: summary.nullCount + segment.nullCount,
    minimum: isLess ? segment.minimum : summary.minimum,
    maximum: isGreater ? segment.maximum : summary.maximum,
    decimals:
      summary.decimals < 0 || segment.decimals < 0
        ? -1
        : Math.max(summary.decimals, segment.decimals),
  };
}
