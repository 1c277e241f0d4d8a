import type { Period } from "../types.ts";
import { fixedLengthMs, floorLocal } from "./calendar.ts";
import { cycleMs, horizonMs, offsetIndex, type Zone } from "./zone.ts";

/** The earliest instant in ECMAScript time. If a period begins earlier, this instant replaces its start. */
const earliestMs = -8.64e15;

/**
 * Returns the start of an instant's period in a zone. For hours and shorter periods, a clock change starts a new
 * period, so the repeated hour in autumn counts as two hours. A day or a longer period starts when the zone's clock
 * first reaches the period's start.
 */
export function floorInstant(zone: Zone, period: Period, instant: number): number {
  if (instant >= horizonMs) {
    const shift = (Math.floor((instant - horizonMs) / cycleMs) + 1) * cycleMs;
    return floorInstant(zone, period, instant - shift) + shift;
  }
  const index = offsetIndex(zone, instant);
  const offset = zone.offsetsMs[index];
  const local = floorLocal(period, instant + offset);
  if (fixedLengthMs(period) === undefined) return Math.max(earliestMs, reachLocal(zone, local));
  const start = local - offset;
  return Math.max(earliestMs, index > 0 ? Math.max(start, zone.transitions[index - 1]) : start);
}

/** Returns the first instant at which the zone's clock shows `local` or later. */
export function reachLocal(zone: Zone, local: number): number {
  let index = offsetIndex(zone, local - 26 * 3_600_000);
  for (; index < zone.transitions.length; index++) {
    const from = index > 0 ? zone.transitions[index - 1] : -Infinity;
    const instant = Math.max(from, local - zone.offsetsMs[index]);
    if (instant < zone.transitions[index]) return instant;
  }
  const from = index > 0 ? zone.transitions[index - 1] : -Infinity;
  return Math.max(from, local - zone.offsetsMs[index]);
}

/**
 * Returns the earliest instant since when the zone's clock has shown the period of the given instant, without a clock
 * change. The result is later than the start of the period if the clock changed within the period or entered it twice.
 */
export function shownSince(zone: Zone, period: Period, instant: number): number {
  if (instant >= horizonMs) {
    const shift = (Math.floor((instant - horizonMs) / cycleMs) + 1) * cycleMs;
    return shownSince(zone, period, instant - shift) + shift;
  }
  const index = offsetIndex(zone, instant);
  const offset = zone.offsetsMs[index];
  const start = floorLocal(period, instant + offset) - offset;
  return index > 0 ? Math.max(start, zone.transitions[index - 1]) : start;
}
