import Type from "typebox";
import { isObject } from "../../base/index.ts";
import { parseTimezone } from "../../queries/index.ts";
import { instantOfWall } from "./instantOfWall.ts";
import { isTimeOfDay } from "./timeOfDay.ts";

const mostPeriods = 20;
const dayCount = 7;
const dayMs = 86_400_000;

const Time = (description: string) =>
  Type.String({ pattern: "^([01]\\d|2[0-3]):[0-5]\\d$", description });

/** Recurring hours in which an alert sends no messages. */
export const QuietHours = Type.Object(
  {
    timezone_id: Type.String({
      description: "IANA name of the time zone of the hours, such as `Europe/Brussels`.",
    }),
    periods: Type.Array(
      Type.Object(
        {
          weekdays: Type.Optional(
            Type.Array(Type.Integer({ minimum: 1, maximum: dayCount }), {
              minItems: 1,
              maxItems: dayCount,
              description:
                "The weekdays on which the period begins, from 1 (Monday) to 7 (Sunday). Absent: every day.",
            }),
          ),
          from: Time("The local time at which the period begins, such as `22:00`."),
          to: Time(
            "The local time at which the period ends. A time before `from` is on the next day; the same time is 24 hours later.",
          ),
        },
        { additionalProperties: false, description: "A period that recurs on weekdays." },
      ),
      { minItems: 1, maxItems: mostPeriods, description: "The periods, at most 20." },
    ),
  },
  {
    additionalProperties: false,
    description: "Recurring hours in which an alert sends no messages.",
  },
);

/** See the schema of the same name. */
export interface QuietHours {
  readonly timezone_id: string;
  readonly periods: readonly QuietPeriod[];
}

interface QuietPeriod {
  readonly weekdays?: readonly number[];
  readonly from: string;
  readonly to: string;
}

const hasOnly = (value: object, known: readonly string[]): boolean =>
  Object.keys(value).every((member) => known.includes(member));

function isPeriod(value: unknown): boolean {
  if (!isObject<keyof QuietPeriod>(value)) return false;
  const { weekdays, from, to } = value;
  const isDay = (day: unknown) =>
    Number.isInteger(day) && Number(day) >= 1 && Number(day) <= dayCount;
  const areDays =
    weekdays === undefined ||
    (Array.isArray(weekdays) &&
      weekdays.length > 0 &&
      weekdays.length <= dayCount &&
      weekdays.every(isDay));
  return (
    hasOnly(value, ["weekdays", "from", "to"]) && areDays && isTimeOfDay(from) && isTimeOfDay(to)
  );
}

/** Returns the problem with quiet hours; undefined if they are valid. */
export function quietHoursProblem(value: unknown): string | undefined {
  const { timezone_id: zone, periods } = isObject<keyof QuietHours>(value) ? value : {};
  if (!isObject(value) || !hasOnly(value, ["timezone_id", "periods"]))
    return "have only the members timezone_id and periods";
  if (typeof zone !== "string" || !isZone(zone))
    return "have timezone_id set to the IANA name of a time zone, such as Europe/Brussels";
  const isList = Array.isArray(periods) && periods.length > 0 && periods.length <= mostPeriods;
  return isList && periods.every(isPeriod)
    ? undefined
    : `have periods set to a list of 1 to ${mostPeriods} objects {weekdays, from, to}, with weekdays from 1 (Monday) to 7 and times such as 22:00`;
}

function isZone(zone: string): boolean {
  try {
    return parseTimezone(zone, "timezone_id") !== undefined || zone === "UTC";
  } catch {
    return false;
  }
}

/** Returns whether an instant is in quiet hours. O(periods). */
export const isQuiet = (hours: QuietHours, atMs: number): boolean => endOf(hours, atMs) > atMs;

/** How far ahead the end of quiet hours is sought. Periods recur every week. */
const farthestMs = 15 * dayMs;

/**
 * Returns the instant at which the quiet hours around an instant end; the instant itself if it is not in quiet hours.
 * Undefined for quiet hours without an end. Adjoining and overlapping periods count as one.
 */
export function quietUntil(hours: QuietHours, atMs: number): number | undefined {
  let untilMs = atMs;
  while (untilMs - atMs <= farthestMs) {
    const nextMs = endOf(hours, untilMs);
    if (nextMs === untilMs) return untilMs;
    untilMs = nextMs;
  }
  return undefined;
}

/**
 * Returns the latest end of the periods that contain an instant, or the instant itself. A period lasts from the first
 * occurrence of its local start to the last occurrence of its local end, so a clock change never cuts it into parts.
 */
function endOf({ timezone_id: zone, periods }: QuietHours, atMs: number): number {
  const today = Temporal.Instant.fromEpochMilliseconds(atMs).toZonedDateTimeISO(zone).toPlainDate();
  let latestMs = atMs;
  // A period that contains the instant began today, yesterday, or, across a clock change at midnight, the day before.
  for (const daysAgo of [0, 1, 2]) {
    const date = today.subtract({ days: daysAgo });
    for (const { weekdays, from, to } of periods) {
      if (weekdays && !weekdays.includes(date.dayOfWeek)) continue;
      const endDate = to > from ? date : date.add({ days: 1 });
      const fromMs = instantOfWall(at(date, from), zone);
      const toMs = instantOfWall(at(endDate, to), zone, "later");
      if (fromMs <= atMs && atMs < toMs) latestMs = Math.max(latestMs, toMs);
    }
  }
  return latestMs;
}

const at = (date: Temporal.PlainDate, time: string): Temporal.PlainDateTime =>
  date.toPlainDateTime(Temporal.PlainTime.from(time));
