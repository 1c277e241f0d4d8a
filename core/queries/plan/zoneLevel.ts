import type { GroupedLevel } from "../queryPlan.ts";

/**
 * Since this instant, every time zone has differed from UTC by whole minutes. The last exception was Liberia.
 */
export const wholeMinutesFromMs = Date.UTC(1972, 0, 8);

/** After this instant, the time zone rules that are known today repeat. */
const untilMs = Date.UTC(2100, 0, 1);

const levelOf = new Map<string, GroupedLevel>();

/**
 * Returns the coarsest level at which each UTC period lies within a single hour of a time zone, from
 * `wholeMinutesFromMs` on. The level is the hour if the zone always differs from UTC by whole hours and changes on the
 * hour, otherwise the minute.
 */
export function zoneLevel(zone: string): GroupedLevel {
  const known = levelOf.get(zone);
  if (known) return known;
  const level = isOnTheHour(zone) ? "hour" : "minute";
  levelOf.set(zone, level);
  return level;
}

function isOnTheHour(zone: string): boolean {
  let at = Temporal.Instant.fromEpochMilliseconds(wholeMinutesFromMs).toZonedDateTimeISO(zone);
  for (;;) {
    if (at.offsetNanoseconds % 3.6e12 !== 0) return false;
    const next = at.getTimeZoneTransition("next");
    if (!next || next.epochMilliseconds > untilMs) return true;
    if (next.epochMilliseconds % 3_600_000 !== 0) return false;
    at = next;
  }
}
