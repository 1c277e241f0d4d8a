import { applyFunction } from "../expressions/index.ts";
import type { Level } from "../../../plugins/protocol/index.ts";
import type { RelativeWord } from "../parsedQuery.ts";

/** A bound in milliseconds since 1970 UTC. */
interface Bound {
  readonly at: number;
  readonly isIncluded: boolean;
}

/** The instants that pass a relative test. A side without a bound is open. */
export interface RelativeRange {
  readonly from?: Bound;
  readonly to?: Bound;
}

export interface RelativeRangeInput {
  readonly word: RelativeWord;
  readonly unit: Level;
  readonly quantity: number;
  /** The anchor in milliseconds: now, or the last value of the column. */
  readonly anchorMs: number;
  /** The IANA name of the time zone whose calendar defines the periods. */
  readonly timezone: string;
  /** Whether the column contains dates. In that case, "now" is the current date in `timezone`. */
  readonly isDate: boolean;
}

/**
 * Computes the range of a relative test; undefined beyond the limits of the calendar. Rolling ranges (`last_now`,
 * `last_available`, `next_now`) include the anchor but not the opposite bound. All other ranges are whole periods of
 * the zone's calendar.
 */
export function relativeRange(input: RelativeRangeInput): RelativeRange | undefined {
  const { word, unit, quantity, isDate } = input;
  const zone = isDate ? "UTC" : input.timezone;
  const isClock = isDate && word !== "last_available";
  const anchor = isClock ? dateOf(input.anchorMs, input.timezone) : input.anchorMs;
  const startOf = (count: number) => {
    const moved = move(anchor, unit, count, zone);
    return moved === undefined ? undefined : startOfPeriod(moved, unit, zone);
  };
  const whole = (from: number | undefined, to: number | undefined) =>
    from === undefined || to === undefined
      ? undefined
      : { from: including(from), to: excluding(to) };
  switch (word) {
    case "last_now":
    case "last_available": {
      const from = move(anchor, unit, -quantity, zone);
      return from === undefined ? undefined : { from: excluding(from), to: including(anchor) };
    }
    case "next_now": {
      const to = move(anchor, unit, quantity, zone);
      return to === undefined ? undefined : { from: including(anchor), to: excluding(to) };
    }
    case "ago":
      return whole(startOf(-quantity), startOf(1 - quantity));
    case "more_than_ago":
    case "or_more_ago": {
      const to = startOf(word === "or_more_ago" ? 1 - quantity : -quantity);
      return to === undefined ? undefined : { to: excluding(to) };
    }
    case "last_completed":
      return whole(startOf(-quantity), startOf(0));
    case "next_full":
      return whole(startOf(1), startOf(1 + quantity));
    case "to_date": {
      const from = startOf(0);
      return from === undefined ? undefined : { from: including(from), to: including(anchor) };
    }
  }
}

const including = (instant: number): Bound => ({ at: instant, isIncluded: true });
const excluding = (instant: number): Bound => ({ at: instant, isIncluded: false });

function move(instant: number, unit: Level, count: number, zone: string): number | undefined {
  return numberOf(applyFunction("dateAdd", [unit, count, instant, zone]));
}

function startOfPeriod(instant: number, unit: Level, zone: string): number | undefined {
  return numberOf(applyFunction("dateTrunc", [unit, instant, zone]));
}

function dateOf(instant: number, zone: string): number {
  return numberOf(applyFunction("dateOf", [instant, zone])) ?? instant;
}

function numberOf(value: unknown): number | undefined {
  return typeof value === "number" ? value : undefined;
}
