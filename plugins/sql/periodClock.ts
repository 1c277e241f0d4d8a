import type { Level } from "../protocol/index.ts";
import type { Comparison } from "./dialect.ts";

/**
 * The periods of a zone's clock, from days on. A statement groups by the start of a period as the clock shows it, which
 * is one number for each period; the instants are computed here, because SQL cannot.
 */
export interface PeriodClock {
  /** The instant at which a period starts, of its start as the clock shows it. */
  instantOf(wallMs: number): number;
  /** The period that starts at an instant, undefined when none does. */
  wallOf(instantMs: number): number | undefined;
  /** A comparison with an instant, as one with the start of a period as the clock shows it. */
  compare(operator: Comparison, instantMs: number): readonly ["<" | ">=", wallMs: number];
}

const wallLevels = ["year", "quarter", "month", "week", "day"] as const;
export type WallLevel = (typeof wallLevels)[number];

/** Returns whether the periods of a level are whole days of a clock. */
export function isWallLevel(level: Level): level is WallLevel {
  return wallLevels.some((each) => each === level);
}

const endOfTimeMs = 8.64e15;

/** Creates the clock of a zone for one level. */
export function createPeriodClock(zone: string, level: WallLevel): PeriodClock {
  const known = new Map<number, number>();
  const instantOf = (wallMs: number): number => {
    let instant = known.get(wallMs);
    if (instant === undefined) {
      instant = startOfDay(zone, wallMs);
      known.set(wallMs, instant);
    }
    return instant;
  };
  const firstFrom = (instantMs: number): number => {
    let wall = periodAt(zone, level, instantMs);
    while (instantOf(wall) < instantMs) wall = nextPeriod(wall, level);
    return wall;
  };
  return {
    instantOf,
    wallOf(instantMs) {
      const wall = firstFrom(instantMs);
      return instantOf(wall) === instantMs ? wall : undefined;
    },
    compare(operator, instantMs) {
      const from = operator === "<" || operator === ">=" ? instantMs : instantMs + 1;
      return [operator.startsWith("<") ? "<" : ">=", firstFrom(Math.min(from, endOfTimeMs))];
    },
  };
}

function startOfDay(zone: string, wallMs: number): number {
  try {
    const date = Temporal.Instant.fromEpochMilliseconds(wallMs).toZonedDateTimeISO("UTC");
    return date.toPlainDate().toZonedDateTime(zone).epochMilliseconds;
  } catch (failure) {
    // A period that starts before the first instant, or after the last one.
    if (failure instanceof RangeError) return Math.sign(wallMs) * endOfTimeMs;
    throw failure;
  }
}

function periodAt(zone: string, level: WallLevel, instantMs: number): number {
  const { offsetNanoseconds } =
    Temporal.Instant.fromEpochMilliseconds(instantMs).toZonedDateTimeISO(zone);
  return startOfPeriod(instantMs + offsetNanoseconds / 1e6, level);
}

const dayMs = 86_400_000;
/** 1970-01-01 was a Thursday. */
const mondayMs = 4 * dayMs;

function startOfPeriod(wallMs: number, level: WallLevel): number {
  const day = Math.floor(wallMs / dayMs) * dayMs;
  if (level === "day") return day;
  if (level === "week") return day - modulo(day - mondayMs, 7 * dayMs);
  const date = new Date(day);
  return startOfMonth(date.getUTCFullYear(), monthOf(date.getUTCMonth(), level));
}

function nextPeriod(wallMs: number, level: WallLevel): number {
  if (level === "day") return wallMs + dayMs;
  if (level === "week") return wallMs + 7 * dayMs;
  const date = new Date(wallMs);
  const months = { year: 12, quarter: 3, month: 1 }[level];
  return startOfMonth(date.getUTCFullYear(), date.getUTCMonth() + months);
}

function monthOf(month: number, level: "year" | "quarter" | "month"): number {
  if (level === "month") return month;
  return level === "year" ? 0 : month - (month % 3);
}

function startOfMonth(year: number, month: number): number {
  return new Date(0).setUTCFullYear(year, month, 1);
}

function modulo(value: number, by: number): number {
  return ((value % by) + by) % by;
}
