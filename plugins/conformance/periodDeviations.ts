import type { Claim } from "./claims.ts";
import { hasLevels, isOf } from "./concerns.ts";
import type { Deviation } from "./deviation.ts";
import type { PeriodStart } from "./semantics.ts";
import { zones } from "./zones.ts";

const dayMs = 86_400_000;
const isWeek = (claim: Claim) => claim.kind === "level" && claim.level === "week";
const isPeriod = isOf("level", "timezones", "levelsAnywhere", "filterLevels");

const offsets = Array.from({ length: 27 }, (_, at) => at - 12).filter((hours) => hours !== 0);

/** Writes an offset of whole hours as Temporal reads it, such as `-05:00`. */
const offsetOf = (hours: number): string =>
  `${hours < 0 ? "-" : "+"}${String(Math.abs(hours)).padStart(2, "0")}:00`;

/** Returns the local date and time of an instant, as milliseconds of the same date and time in UTC. */
function localMs({ startMs: ms, timezone }: PeriodStart): number {
  const local = Temporal.Instant.fromEpochMilliseconds(ms).toZonedDateTimeISO(timezone);
  const shownMs = ms + local.offsetNanoseconds / 1e6;
  return Math.abs(shownMs) <= 8.64e15 ? shownMs : ms;
}

const isNearEnd = (ms: number): boolean => Math.abs(ms) >= 8.6e15;

/** Known deviations in the truncation of datetimes to periods. */
export const periodDeviations: readonly Deviation[] = [
  {
    does: "ignores levels",
    semantics: { ignoresLevels: true },
    concerns: (claim) => claim.kind === "level" && claim.level !== "millisecond",
    touches: hasLevels,
  },
  {
    does: "starts weeks on Sunday",
    semantics: { weekStart: 7 },
    concerns: isWeek,
    touches: hasLevels,
  },
  {
    does: "starts weeks on Sunday, but includes Sundays in the week before",
    semantics: {
      readStart: ({ startMs, level }) =>
        level === "week" && !isNearEnd(startMs) ? startMs - dayMs : startMs,
    },
    concerns: isWeek,
    touches: hasLevels,
    isOnlyNamed: true,
  },
  {
    does: "starts weeks on Saturday",
    semantics: { weekStart: 6 },
    concerns: isWeek,
    touches: hasLevels,
    isOnlyNamed: true,
  },
  {
    does: "truncates in UTC, whatever the time zone of the query",
    semantics: { zoneOf: () => "UTC" },
    concerns: isOf("timezones"),
    touches: hasLevels,
  },
  {
    does: "uses today's offset of a time zone for all instants",
    semantics: { zoneOf: (timezone) => Temporal.Now.zonedDateTimeISO(timezone).offset },
    concerns: isOf("timezones"),
    touches: hasLevels,
  },
  {
    does: "returns the local start of a period as if it were UTC",
    semantics: { readStart: localMs },
    concerns: isOf("timezones"),
    touches: hasLevels,
    isOnlyNamed: true,
  },
  ...[1, -1].map((days): Deviation => ({
    does: `returns the starts of periods one day too ${days > 0 ? "late" : "early"}`,
    semantics: {
      readStart: ({ startMs }) => (isNearEnd(startMs) ? startMs : startMs + days * dayMs),
    },
    concerns: isPeriod,
    touches: hasLevels,
    isOnlyNamed: true,
  })),
  ...zones.map((zone): Deviation => ({
    does: `truncates in the time zone ${zone}, whatever the time zone of the query`,
    semantics: { zoneOf: () => zone },
    concerns: isPeriod,
    touches: hasLevels,
    isOnlyNamed: true,
  })),
  ...offsets.map((hours): Deviation => ({
    does: `truncates at the offset ${offsetOf(hours)}, whatever the time zone of the query`,
    semantics: { zoneOf: () => offsetOf(hours) },
    concerns: isPeriod,
    touches: hasLevels,
    isOnlyNamed: true,
  })),
];
