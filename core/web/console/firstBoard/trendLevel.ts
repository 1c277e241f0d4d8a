import { periodMs } from "../questions/index.ts";
import type { ColumnProfile, TrendProfile } from "./boardProfile.ts";

interface Step {
  /** From 1 (year) to 9 (millisecond). */
  readonly level: number;
  /** Most periods that people can read in a trend. */
  readonly most: number;
}

/** The levels of trends, finest first. */
const steps: readonly Step[] = [
  { level: 8, most: 120 },
  { level: 7, most: 120 },
  { level: 6, most: 73 },
  { level: 5, most: 63 },
  { level: 4, most: 27 },
  { level: 3, most: 61 },
  { level: 2, most: 61 },
  { level: 1, most: Infinity },
];

const finestOfDates = 5;
const leastPeriods = 3;

/**
 * Chooses the level of a trend: the finest whose periods people can read, and of which most contain values. Undefined
 * if the values are too few or too close together for a trend.
 */
export function trendLevel({
  least,
  most,
  subtype,
  distinct,
}: Pick<ColumnProfile, "least" | "most" | "subtype" | "distinct">): number | undefined {
  const rangeMs = Date.parse(String(most)) - Date.parse(String(least));
  if (!(rangeMs > 0)) return undefined;
  const countOf = ({ level }: Step) => rangeMs / periodMs(level) + 1;
  const step = steps.find(
    (each) =>
      (subtype !== "date" || each.level <= finestOfDates) &&
      countOf(each) <= each.most &&
      (countOf(each) <= distinct * 1.5 || each.level === 1),
  );
  return step && countOf(step) >= leastPeriods && distinct >= leastPeriods ? step.level : undefined;
}

/** A last period whose rows have not all been recorded. */
export interface Unfinished {
  /** Start of the period, as an instant. */
  readonly start: string;
  /** Whether the period contains the current time. Its end is then filtered relative to the time of each reader. */
  readonly isCurrent: boolean;
}

/**
 * Returns the last period if the data ends before the period does, so that charts would fall at their end. A period is
 * unfinished while it lasts. An earlier one is, if it has less than half of the rows of the others and the data ends
 * well before the period.
 */
export function unfinishedEnd(
  { periods, level }: TrendProfile,
  { most }: Pick<ColumnProfile, "most">,
  nowMs: number,
): Unfinished | undefined {
  const last = periods.at(-1);
  if (!last) return undefined;
  const startMs = Date.parse(last.start);
  const lengthMs = periodMs(level);
  if (nowMs >= startMs && nowMs < startMs + lengthMs) return { start: last.start, isCurrent: true };
  const others = periods.slice(0, -1).map(({ rows }) => rows);
  const usual = others.toSorted((one, other) => one - other)[Math.floor(others.length / 2)] ?? 0;
  const isEarly = Date.parse(String(most)) < startMs + 0.9 * lengthMs;
  return isEarly && last.rows < usual / 2 ? { start: last.start, isCurrent: false } : undefined;
}
