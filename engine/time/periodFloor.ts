import type { Period } from "../types.ts";
import { dayMs, fixedLengthMs, floorLocal, nextLocal } from "./calendar.ts";
import { floorInstant, reachLocal, shownSince } from "./floorInstant.ts";
import { horizonMs, offsetIndex, type Zone } from "./zone.ts";

/**
 * A truncation compiled for the instants from a minimum to a maximum, as plain data that can be passed to a thread.
 *
 * - `grid`: `count` periods of equal length, starting at `first`.
 * - `table`: the start of every period and, for each UTC day, the period in which the day starts.
 * - `zone`: the start is computed for each instant. Used for long ranges, and if the clock enters a period twice.
 */
export type PeriodFloor =
  | {
      readonly kind: "grid";
      readonly lengthMs: number;
      readonly first: number;
      readonly count: number;
    }
  | {
      readonly kind: "table";
      readonly firstDay: number;
      readonly days: Int32Array;
      readonly starts: Float64Array;
      readonly count: number;
    }
  | { readonly kind: "zone"; readonly zone: Zone; readonly period: Period };

/** Maximum number of days that a `table` covers. */
const tableDays = 200_000;

/** Compiles a truncation for instants from `minimum` to `maximum`. */
export function compilePeriodFloor(
  zone: Zone,
  period: Period,
  minimum: number,
  maximum: number,
): PeriodFloor {
  const grid = compileGrid(zone, period, minimum, maximum);
  if (grid) return grid;
  if (
    fixedLengthMs(period) !== undefined ||
    maximum >= horizonMs ||
    maximum - minimum > tableDays * dayMs ||
    entersAgain(zone, period, minimum, maximum)
  )
    return { kind: "zone", zone, period };
  return compileTable(zone, period, minimum, maximum);
}

function compileGrid(
  zone: Zone,
  period: Period,
  minimum: number,
  maximum: number,
): PeriodFloor | undefined {
  const lengthMs =
    fixedLengthMs(period) ?? (period === "day" ? dayMs : period === "week" ? 7 * dayMs : undefined);
  if (lengthMs === undefined || minimum - lengthMs < -8.64e15) return undefined;
  if (maximum >= horizonMs && zone.transitions.length > 0) return undefined;
  const from = offsetIndex(zone, minimum - lengthMs);
  const to = offsetIndex(zone, maximum);
  if (from !== to) {
    if (lengthMs >= dayMs) return undefined;
    for (let index = from; index <= to; index++) {
      if (zone.offsetsMs[index] % lengthMs !== 0) return undefined;
      if (index > from && zone.transitions[index - 1] % lengthMs !== 0) return undefined;
    }
  }
  const offset = zone.offsetsMs[from];
  const first = floorLocal(period, minimum + offset) - offset;
  // The clock may have reached the first day before it went back.
  if (lengthMs >= dayMs && floorInstant(zone, period, minimum) !== first) return undefined;
  return { kind: "grid", lengthMs, first, count: Math.floor((maximum - first) / lengthMs) + 1 };
}

/** The longest time by which a zone's clock was ever set back, when the date line moved, rounded up to days. */
const longestBackMs = 2 * dayMs;

/**
 * Returns whether, between two instants, the zone's clock shows a period that it had already left. Periods are then not
 * contiguous. For example, on 1 November 2009, America/St_Johns went back from 00:01 to 23:01, and 31 October continued
 * for another 59 minutes. The clock may have gone back before `minimum`.
 */
function entersAgain(zone: Zone, period: Period, minimum: number, maximum: number): boolean {
  const { transitions, offsetsMs } = zone;
  const first = floorLocal(period, minimum + offsetsMs[offsetIndex(zone, minimum)]);
  for (
    let index = offsetIndex(zone, minimum - longestBackMs);
    index < transitions.length;
    index++
  ) {
    const at = transitions[index];
    if (at > maximum) return false;
    const last = floorLocal(period, at + offsetsMs[index] - 1);
    const shown = at < minimum ? first : floorLocal(period, at + offsetsMs[index + 1]);
    if (shown < last) return true;
  }
  return false;
}

function compileTable(zone: Zone, period: Period, minimum: number, maximum: number): PeriodFloor {
  const starts = [floorInstant(zone, period, minimum)];
  let local = floorLocal(period, minimum + zone.offsetsMs[offsetIndex(zone, minimum)]);
  for (;;) {
    local = nextLocal(period, local);
    const start = reachLocal(zone, local);
    if (start > maximum) break;
    if (start > starts[starts.length - 1]) starts.push(start);
  }
  const firstDay = Math.floor(minimum / dayMs);
  const days = new Int32Array(Math.floor(maximum / dayMs) - firstDay + 1);
  let index = 0;
  for (let day = 0; day < days.length; day++) {
    while (index + 1 < starts.length && starts[index + 1] <= (firstDay + day) * dayMs) index++;
    days[day] = index;
  }
  return {
    kind: "table",
    firstDay,
    days,
    starts: Float64Array.from([...starts, Infinity]),
    count: starts.length,
  };
}

/** Returns the number of periods of a compiled truncation; undefined if its periods are not numbered. */
export function periodCount(floor: PeriodFloor): number | undefined {
  return floor.kind === "zone" ? undefined : floor.count;
}

/** Writes the number of each instant's period, starting at 1; null becomes 0. There are fewer than 2^31 periods. */
export function numberPeriods(
  floor: PeriodFloor,
  instants: Float64Array,
  rowCount: number,
  numbers: Int32Array,
): void {
  if (floor.kind === "grid") {
    const { first, lengthMs } = floor;
    for (let row = 0; row < rowCount; row++) {
      const instant = instants[row];
      numbers[row] = instant === instant ? Math.floor((instant - first) / lengthMs) + 1 : 0;
    }
  } else if (floor.kind === "table") {
    const { firstDay, days, starts } = floor;
    for (let row = 0; row < rowCount; row++) {
      const instant = instants[row];
      if (instant !== instant) {
        numbers[row] = 0;
        continue;
      }
      let index = days[Math.floor(instant / dayMs) - firstDay];
      while (starts[index + 1] <= instant) index++;
      numbers[row] = index + 1;
    }
  }
}

/** Returns the start of the period with the given number; 0 stands for null. */
export function periodStart(floor: PeriodFloor, number: number): number {
  if (number === 0 || floor.kind === "zone") return NaN;
  return floor.kind === "grid"
    ? floor.first + (number - 1) * floor.lengthMs
    : floor.starts[number - 1];
}

/** Writes the start of each instant's period; null stays null. `starts` may be the same array as `instants`. */
export function floorPeriods(
  floor: PeriodFloor,
  instants: Float64Array,
  rowCount: number,
  starts: Float64Array,
): void {
  if (floor.kind === "grid") {
    const { first, lengthMs } = floor;
    for (let row = 0; row < rowCount; row++)
      starts[row] = Math.floor((instants[row] - first) / lengthMs) * lengthMs + first;
  } else if (floor.kind === "table") {
    const { firstDay, days } = floor;
    for (let row = 0; row < rowCount; row++) {
      const instant = instants[row];
      if (instant !== instant) {
        starts[row] = NaN;
        continue;
      }
      let index = days[Math.floor(instant / dayMs) - firstDay];
      while (floor.starts[index + 1] <= instant) index++;
      starts[row] = floor.starts[index];
    }
  } else {
    // From `from` to `to`, the clock shows the period that starts at `start`.
    let start = NaN;
    let from = NaN;
    let to = NaN;
    for (let row = 0; row < rowCount; row++) {
      const instant = instants[row];
      if (instant !== instant) starts[row] = NaN;
      else if (instant >= from && instant <= to) starts[row] = start;
      else {
        start = floorInstant(floor.zone, floor.period, instant);
        from = shownSince(floor.zone, floor.period, instant);
        to = instant;
        starts[row] = start;
      }
    }
  }
}
