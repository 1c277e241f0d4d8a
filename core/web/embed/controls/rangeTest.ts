import { isDay, readDateRange, isObject, type DateRange } from "../../charts/index.ts";
import { instantOf } from "./instantOf.ts";

/** A test of one column, in the notation of the data service. */
export interface RangeTest {
  /** Such as `? between ?` or `last_now`. */
  readonly test: string;
  readonly value: unknown;
}

/** How a column stores its dates. */
export interface DatedColumn {
  /** Whether the column contains days without a time. Its tests contain days, other tests contain instants. */
  readonly isDay: boolean;
  readonly timezoneId: string;
}

/** Returns the test of a column for a range of dates. Both ends of a range belong to it. */
export function testOfRange(
  range: DateRange,
  { isDay: isOfDays, timezoneId }: DatedColumn,
): RangeTest {
  if (range.key !== "custom") {
    const { key, unit, quantity } = range;
    return { test: key, value: { unit, quantity } };
  }
  const { from, to } = range.customRange;
  const first = isOfDays ? from : from && instantOf(from, 0, timezoneId);
  const last = isOfDays ? to : to && lastInstantOf(to, timezoneId);
  if (first !== "" && last !== "") return { test: "? between ?", value: [first, last] };
  return first === "" ? { test: "? <= ?", value: last } : { test: "? >= ?", value: first };
}

/** Returns the range of dates for which a test of a column stands; undefined if it is not such a test. */
export function rangeOfTest({
  test,
  value,
}: {
  readonly test: string;
  readonly value?: unknown;
}): DateRange | undefined {
  const ends = endsOf(test, value);
  if (ends) return readDateRange({ key: "custom", customRange: ends });
  return isObject<"unit" | "quantity">(value) && test !== "custom"
    ? readDateRange({ ...value, key: test })
    : undefined;
}

function endsOf(test: string, value: unknown): { from?: unknown; to?: unknown } | undefined {
  if (test === "? between ?" && Array.isArray(value) && value.length === 2 && value.every(isMoment))
    return { from: value[0], to: value[1] };
  if (!isMoment(value)) return undefined;
  switch (test) {
    case "? >= ?":
      return { from: value };
    case "? <= ?":
      return { to: value };
    case "? < ?":
      return { to: new Date(Date.parse(value) - 1).toISOString() };
    default:
      return undefined;
  }
}

const isMoment = (value: unknown): value is string =>
  typeof value === "string" && /^\d{4}-\d\d-\d\d/.test(value) && !Number.isNaN(Date.parse(value));

/** Returns the last millisecond of a day in a time zone, or the instant of a moment. */
function lastInstantOf(moment: string, timezoneId: string): string {
  if (!isDay(moment)) return instantOf(moment, 0, timezoneId);
  return new Date(Date.parse(instantOf(moment, 1, timezoneId)) - 1).toISOString();
}
