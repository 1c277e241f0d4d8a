import { levels } from "./values.ts";

/** The range that a relative test accepts, in milliseconds. A bound that does not exist is absent. */
export interface RelativeBounds {
  readonly from?: { readonly at: number; readonly isIncluded: boolean };
  readonly to?: { readonly at: number; readonly isIncluded: boolean };
}

type Unit = (typeof levels)[number];

const toDate: Readonly<Record<string, Unit>> = {
  WTD: "week",
  MTD: "month",
  QTD: "quarter",
  YTD: "year",
};

/**
 * Computes the bounds of a relative test as the table in docs/QUERIES.md defines them. `anchorMs` is now or, for
 * `last_available`, the last value. A column of dates uses the date that the clock of `zone` shows.
 */
export function relativeBounds(
  word: string,
  value: { readonly unit?: number; readonly quantity?: number } | undefined,
  anchorMs: number,
  zone: string,
  isDate: boolean,
): RelativeBounds {
  const unit = toDate[word.toUpperCase()] ?? (levels[(value?.unit ?? 0) - 1] as Unit);
  const count = Math.abs(value?.quantity ?? 1);
  const clock = Temporal.Instant.fromEpochMilliseconds(anchorMs).toZonedDateTimeISO(zone);
  const calendarAnchor =
    isDate && word !== "last_available"
      ? clock.toPlainDate().toZonedDateTime("UTC")
      : clock.withTimeZone(isDate ? "UTC" : zone);
  const moved = (by: number) => calendarAnchor.add(durationOf(unit, by));
  const startOf = (by: number) => periodStart(moved(by), unit);
  const anchor = calendarAnchor.epochMilliseconds;
  const inside = (at: number) => ({ at, isIncluded: true });
  const outside = (at: number) => ({ at, isIncluded: false });
  switch (word.toLowerCase()) {
    case "last_now":
    case "last_available":
      return { from: outside(moved(-count).epochMilliseconds), to: inside(anchor) };
    case "next_now":
      return { from: inside(anchor), to: outside(moved(count).epochMilliseconds) };
    case "ago":
      return { from: inside(startOf(-count)), to: outside(startOf(1 - count)) };
    case "more_than_ago":
      return { to: outside(startOf(-count)) };
    case "or_more_ago":
      return { to: outside(startOf(1 - count)) };
    case "last_completed":
      return { from: inside(startOf(-count)), to: outside(startOf(0)) };
    case "next_full":
      return { from: inside(startOf(1)), to: outside(startOf(1 + count)) };
    default:
      return { from: inside(startOf(0)), to: inside(anchor) };
  }
}

function durationOf(unit: Unit, count: number): Temporal.DurationLike {
  return unit === "quarter" ? { months: 3 * count } : { [`${unit}s`]: count };
}

const lengths: Readonly<Partial<Record<Unit, number>>> = {
  hour: 3_600_000,
  minute: 60_000,
  second: 1000,
  millisecond: 1,
};

function periodStart(at: Temporal.ZonedDateTime, unit: Unit): number {
  const length = lengths[unit];
  if (length !== undefined) {
    const clock = at.epochMilliseconds + at.offsetNanoseconds / 1e6;
    const cut = (((clock % length) + length) % length) + 0;
    const change = at.add({ nanoseconds: 1 }).getTimeZoneTransition("previous");
    return Math.max(at.epochMilliseconds - cut, change?.epochMilliseconds ?? -Infinity);
  }
  const date = at.toPlainDate();
  const first = {
    year: () => date.with({ month: 1, day: 1 }),
    quarter: () => date.with({ month: date.month - ((date.month - 1) % 3), day: 1 }),
    month: () => date.with({ day: 1 }),
    week: () => date.subtract({ days: date.dayOfWeek - 1 }),
    day: () => date,
  }[unit as "day"]();
  return first.toZonedDateTime(at.timeZoneId).epochMilliseconds;
}
