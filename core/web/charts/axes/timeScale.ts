import type { ChartColumn } from "../answer/chartColumn.ts";
import type { ChartCell } from "../answer/chartRequest.ts";

/** A time as an instant, and as the wall-clock time of the reader's zone at this instant, in milliseconds. */
export interface WallTime {
  readonly instantMs: number;
  readonly wallMs: number;
}

/**
 * The periods from the earliest to the latest time of an axis, all of them equally wide. Periods without rows keep
 * their place. A position is a number of periods after the first one.
 */
export interface TimeScale {
  /** The position of each cell; null for a cell that is not a time. */
  readonly positions: readonly (number | null)[];
  /** The number of periods, including those without rows. At least 1. */
  readonly count: number;
  readonly first: WallTime;
  readonly last: WallTime & { readonly cell: ChartCell };
  /** Whether the times have a level, so that a missing period can be recognized. */
  readonly hasPeriods: boolean;
  /** Returns the position of a wall-clock time. The result can be fractional. */
  at(wallMs: number): number;
  /** Returns the wall-clock time at which the period at a whole position starts; null for levels below the day. */
  startOf(position: number): number | null;
  /** Returns whether a time is within the last period, which has therefore not ended. */
  isInLast(now: WallTime): boolean;
}

const secondMs = 1_000;
const dayMs = 86_400_000;

/** The length of a period in milliseconds, for the levels from week to second. */
const periodMs: Readonly<Record<number, number>> = {
  4: 7 * dayMs,
  5: dayMs,
  6: 3_600 * secondMs,
  7: 60 * secondMs,
  8: secondMs,
};

/** The length of a period in months, for the levels year, quarter and month. */
const periodMonths: Readonly<Record<number, number>> = { 1: 12, 2: 3, 3: 1 };

/**
 * Creates the scale of a datetime column; undefined if no cell is a time. Days and longer periods follow the wall
 * clock, so that a day of 23 hours is a day. Hours and shorter periods follow elapsed time, so that the hour that
 * occurs twice in autumn has two places and the hour that spring omits has none. O(cells × log cells).
 */
export function timeScale(column: ChartColumn, cells: readonly ChartCell[]): TimeScale | undefined {
  const times = cells.map((cell) => timeOf(column, cell));
  const known = times
    .filter((time) => time !== null)
    .toSorted((one, other) => one.instantMs - other.instantMs);
  const [first] = known;
  const last = known.at(-1);
  if (!first || !last) return undefined;
  const level = column.field.level ?? 0;
  const months = periodMonths[level];
  const fixedMs = periodMs[level];
  const unitMs = fixedMs ?? leastStep(known);
  const isWall = level === 4 || level === 5;

  const monthsIn = (wallMs: number) => {
    const date = new Date(wallMs);
    return date.getUTCFullYear() * 12 + date.getUTCMonth();
  };
  /** The start of a period of months. Years below 100 need `setUTCFullYear`. */
  const startOfMonths = (number: number, length: number) => {
    const start = new Date(0);
    start.setUTCFullYear(0, number * length, 1);
    return start.getTime();
  };
  const exactOf = ({ instantMs, wallMs }: WallTime): number => {
    if (months !== undefined) {
      const number = Math.floor(monthsIn(wallMs) / months);
      const [from, to] = [startOfMonths(number, months), startOfMonths(number + 1, months)];
      return number - Math.floor(monthsIn(first.wallMs) / months) + (wallMs - from) / (to - from);
    }
    return isWall ? (wallMs - first.wallMs) / unitMs : (instantMs - first.instantMs) / unitMs;
  };
  const hasPeriods = months !== undefined || fixedMs !== undefined;
  const positionOf = (time: WallTime) => {
    const exact = exactOf(time);
    return !hasPeriods ? exact : months === undefined ? Math.round(exact) : Math.floor(exact);
  };
  const end = positionOf(last);
  return {
    positions: times.map((time) => (time ? positionOf(time) : null)),
    count: end + 1,
    first,
    last,
    hasPeriods,
    at(wallMs) {
      if (months !== undefined || isWall) return exactOf({ instantMs: wallMs, wallMs });
      const before = known.findLast((time) => time.wallMs <= wallMs) ?? first;
      return exactOf({ instantMs: wallMs - before.wallMs + before.instantMs, wallMs });
    },
    startOf(position) {
      if (months !== undefined)
        return startOfMonths(Math.floor(monthsIn(first.wallMs) / months) + position, months);
      return isWall ? first.wallMs + position * unitMs : null;
    },
    isInLast: (now) => hasPeriods && Math.floor(exactOf(now)) === end,
  };
}

function timeOf(column: ChartColumn, cell: ChartCell): TimeScale["last"] | null {
  const wallMs = column.wallMs(cell);
  return wallMs === null ? null : { wallMs, instantMs: Date.parse(String(cell)), cell };
}

/** Returns the smallest distance between times in ascending order; 1 ms if all of them are equal. */
function leastStep(times: readonly WallTime[]): number {
  let least = Infinity;
  let before = -Infinity;
  for (const { instantMs } of times) {
    if (instantMs > before) least = Math.min(least, instantMs - before);
    before = instantMs;
  }
  return Number.isFinite(least) ? least : 1;
}
