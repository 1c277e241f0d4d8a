import { periodLengths, type LevelOfDays } from "../protocol/index.ts";
import type { Comparison } from "./dialect.ts";

/**
 * The periods of a day or more on a zone's clock. A statement groups by the start of a period as the clock shows it,
 * which is one number per period. Our own code then computes the instants, because SQL cannot.
 */
export interface PeriodClock {
  /** Returns the instant at which a period starts. `wallMs` is the start as the clock shows it. */
  instantOf(wallMs: number): number;
  /**
   * Returns the start, as the clock shows it, of the period that starts at an instant. Undefined if no period starts at
   * this instant.
   */
  wallOf(instantMs: number): number | undefined;
  /** Converts a comparison with an instant to a comparison with the start of a period as the clock shows it. */
  compare(operator: Comparison, instantMs: number): readonly ["<" | ">=", wallMs: number];
}

const endOfTimeMs = 8.64e15;

/** Creates the clock of a zone for one level. */
export function createPeriodClock(zone: string, level: LevelOfDays): PeriodClock {
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
    // The period starts before the earliest instant or after the latest one.
    if (failure instanceof RangeError) return Math.sign(wallMs) * endOfTimeMs;
    throw failure;
  }
}

function periodAt(zone: string, level: LevelOfDays, instantMs: number): number {
  const { offsetNanoseconds } =
    Temporal.Instant.fromEpochMilliseconds(instantMs).toZonedDateTimeISO(zone);
  return startOfPeriod(instantMs + offsetNanoseconds / 1e6, level);
}

const dayMs = 86_400_000;
/** 1970-01-05 was the first Monday after 1970-01-01. */
const mondayMs = 4 * dayMs;

function startOfPeriod(wallMs: number, level: LevelOfDays): number {
  const day = Math.floor(wallMs / dayMs) * dayMs;
  const length = periodLengths[level];
  if ("days" in length) return day - modulo(day - mondayMs, length.days * dayMs);
  const date = new Date(day);
  const month = date.getUTCFullYear() * 12 + date.getUTCMonth();
  return startOfMonth(0, month - modulo(month, length.months));
}

function nextPeriod(wallMs: number, level: LevelOfDays): number {
  const length = periodLengths[level];
  if ("days" in length) return wallMs + length.days * dayMs;
  const date = new Date(wallMs);
  return startOfMonth(date.getUTCFullYear(), date.getUTCMonth() + length.months);
}

function startOfMonth(year: number, month: number): number {
  return new Date(0).setUTCFullYear(year, month, 1);
}

function modulo(value: number, by: number): number {
  return ((value % by) + by) % by;
}
