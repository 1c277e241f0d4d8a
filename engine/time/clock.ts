import { dayMs } from "./calendar.ts";
import { cycleMs, horizonMs, offsetIndex, type Zone } from "./zone.ts";

/**
 * Converts between instants and the local times of a time zone. A local time is the instant, in milliseconds, at which
 * a UTC clock shows that time.
 */
export interface Clock {
  /** Returns the local time of an instant. */
  localTime(instant: number): number;
  /**
   * Returns the instant at which the clock shows a local time. If the clock shows it twice, returns the first instant.
   * If the clock skips it, returns the instant at which the clock shows that time plus the length of the gap.
   */
  instantOf(local: number): number;
}

/** Number of days whose offset is cached: a power of two, and the days of more than 40 years. */
const rememberedDays = 16_384;

/**
 * Creates the clock of a zone. It caches the offsets of UTC days without a transition, so converting many instants is
 * cheap.
 */
export function createClock(zone: Zone): Clock {
  const [fixed] = zone.offsetsMs;
  if (zone.transitions.length === 0)
    return { localTime: (instant) => instant + fixed, instantOf: (local) => local - fixed };
  const days = new Float64Array(rememberedDays).fill(NaN);
  const offsets = new Float64Array(rememberedDays);
  const offsetAt = (instant: number): number => {
    const day = Math.floor(instant / dayMs);
    const slot = day & (rememberedDays - 1);
    if (days[slot] === day) return offsets[slot];
    const index = indexAt(zone, instant);
    const offset = zone.offsetsMs[index];
    if (indexAt(zone, day * dayMs) === index && indexAt(zone, (day + 1) * dayMs - 1) === index) {
      days[slot] = day;
      offsets[slot] = offset;
    }
    return offset;
  };
  return {
    localTime: (instant) => instant + offsetAt(instant),
    instantOf: (local) => {
      const before = offsetAt(local - dayMs);
      const first = local - before;
      if (offsetAt(first) === before) return first;
      const after = offsetAt(local + dayMs);
      const second = local - after;
      return offsetAt(second) === after ? second : first;
    },
  };
}

function indexAt(zone: Zone, instant: number): number {
  return offsetIndex(
    zone,
    instant < horizonMs
      ? instant
      : instant - (Math.floor((instant - horizonMs) / cycleMs) + 1) * cycleMs,
  );
}
