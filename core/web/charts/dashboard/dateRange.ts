import { isWhole } from "../item/isWhole.ts";
import { isObject } from "../item/readItem.ts";

/** The relative ranges of dates, by the names that queries and stored dashboards have for them. */
const relativeKeys = [
  "last_now",
  "last_completed",
  "last_available",
  "to_date",
  "ago",
  "next_now",
  "next_full",
  "more_than_ago",
  "or_more_ago",
] as const;

export type RelativeKey = (typeof relativeKeys)[number];

/** A relative range: `unit` is a datetime level, from 1 (year) to 8 (second). The host reads the clock. */
export interface RelativeRange {
  readonly key: RelativeKey;
  readonly unit: number;
  readonly quantity: number;
}

/** A range between two days (`2026-03-31`, both included) or instants. An empty string leaves an end open. */
export interface CustomRange {
  readonly key: "custom";
  readonly customRange: { readonly from: string; readonly to: string };
}

/** A range of dates, in the form in which dashboards store the ranges of a date filter. */
export type DateRange = RelativeRange | CustomRange;

/** Names of relative ranges in stored dashboards that queries do not have. */
const aliases: Readonly<Record<string, { readonly key: RelativeKey; readonly unit?: number }>> = {
  last: { key: "last_available" },
  WTD: { key: "to_date", unit: 4 },
  MTD: { key: "to_date", unit: 3 },
  QTD: { key: "to_date", unit: 2 },
  YTD: { key: "to_date", unit: 1 },
};
const mostQuantity = 10_000;

/** Reads a range of dates from JSON; undefined if it is not a range that queries can test. */
export function readDateRange(given: unknown): DateRange | undefined {
  if (!isObject<"key" | "unit" | "quantity" | "customRange">(given)) return undefined;
  const name = typeof given.key === "string" ? given.key : "";
  if (name === "custom") return readCustomRange(given.customRange);
  const alias = Object.hasOwn(aliases, name) ? aliases[name] : undefined;
  const key = alias?.key ?? relativeKeys.find((each) => each === name);
  const unit = alias?.unit ?? given.unit;
  const { quantity = 1 } = given;
  if (key === undefined || !isWhole(unit, 1, 8)) return undefined;
  // Stored ranges of the past may have negative quantities. The host ignores the sign.
  const count = typeof quantity === "number" ? Math.abs(quantity) : quantity;
  if (!isWhole(count, 0, mostQuantity)) return undefined;
  return { key, unit, quantity: count };
}

function readCustomRange(given: unknown): CustomRange | undefined {
  if (!isObject<"from" | "to">(given)) return undefined;
  const { from = "", to = "" } = given;
  if (!isMoment(from) || !isMoment(to) || (from === "" && to === "")) return undefined;
  return { key: "custom", customRange: { from, to } };
}

const isMoment = (value: unknown): value is string =>
  typeof value === "string" &&
  value.length <= 40 &&
  (value === "" || !Number.isNaN(Date.parse(value)));

/** Returns whether a string is a day such as `2026-03-31`, and not an instant. */
export const isDay = (moment: string): boolean => /^\d{4}-\d\d-\d\d$/.test(moment);

const dayMs = 86_400_000;
/** The longest distance of a compared range: the host accepts no longer one. */
const mostDays = 100_000;

/** Returns whether a range has a first and a last day. */
export const hasTwoDays = (range: DateRange): range is CustomRange =>
  range.key === "custom" && isDay(range.customRange.from) && isDay(range.customRange.to);

/**
 * Returns by how many days a day is before a range between two days; undefined for ranges with an open end or with
 * instants, which have no fixed number of days, and for a day that is not before the range.
 */
export function daysBefore(range: DateRange, day: string): number | undefined {
  if (!hasTwoDays(range) || !isDay(day)) return undefined;
  const { from } = range.customRange;
  const days = (Date.parse(from) - Date.parse(day)) / dayMs;
  return days >= 1 && days <= mostDays ? days : undefined;
}

/** Returns the range that is compared with a range between two days: as many days, from a day on. */
export function comparedRange(
  { customRange: { from, to } }: CustomRange,
  day: string,
): CustomRange {
  const last = new Date(Date.parse(day) + Date.parse(to) - Date.parse(from));
  return { key: "custom", customRange: { from: day, to: last.toISOString().slice(0, 10) } };
}
