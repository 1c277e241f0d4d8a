import { isOfDays, periodLengths, type Level } from "../protocol/index.ts";
import type { Semantics } from "./semantics.ts";

/** The earliest instant of an ECMAScript Date. */
const earliestMs = -8.64e15;

/**
 * Returns the start of the period that contains an instant. The start and the instant are ISO strings. If a clock
 * change falls inside a period of an hour or less, the period starts at the change.
 */
export function periodStart(
  instant: string,
  level: Level,
  timezone: string,
  { weekStart, zoneOf, readStart }: Semantics,
): string {
  const at = Temporal.Instant.from(instant).toZonedDateTimeISO(zoneOf(timezone));
  const startMs = withinTime(() => startOf(at, level, weekStart)) ?? earliestMs;
  return new Date(readStart({ startMs, level, timezone: at.timeZoneId })).toISOString();
}

/** Returns the result of a computation. Undefined if it is outside the range of an ECMAScript Date. */
function withinTime<Result>(compute: () => Result): Result | undefined {
  try {
    return compute();
  } catch (failure) {
    if (failure instanceof RangeError) return undefined;
    throw failure;
  }
}

function startOf(at: Temporal.ZonedDateTime, level: Level, weekStart: number): number {
  const day = (date: Temporal.ZonedDateTime) => date.startOfDay().epochMilliseconds;
  if (isOfDays(level)) {
    const length = periodLengths[level];
    if ("months" in length) {
      const month = at.year * 12 + at.month - 1;
      const first = Math.floor(month / length.months) * length.months;
      return day(at.with({ day: 1 }).subtract({ months: month - first }));
    }
    return day(level === "week" ? at.subtract({ days: (at.dayOfWeek - weekStart + 7) % 7 }) : at);
  }
  const { ms: lengthMs } = periodLengths[level];
  const offsetMs = at.offsetNanoseconds / 1e6;
  const start = Math.floor((at.epochMilliseconds + offsetMs) / lengthMs) * lengthMs - offsetMs;
  const after = withinTime(() => at.add({ nanoseconds: 1 })) ?? at;
  const change = after.getTimeZoneTransition("previous");
  return Math.max(start, change?.epochMilliseconds ?? earliestMs);
}
