import {
  listOf,
  objectOf,
  isObject,
  fillIn,
  localizedText,
  readDateRange,
  type DateRange,
  type ChartItem,
} from "../../charts/index.ts";
import { controlWordsOf } from "./words/controlWordsOf.ts";
import { rangeText } from "./rangeText.ts";

/** A range that a control of dates offers. */
export interface OfferedRange {
  readonly range: DateRange;
  readonly label: string;
}

const usual: readonly DateRange[] = [
  { key: "ago", unit: 5, quantity: 0 },
  { key: "ago", unit: 5, quantity: 1 },
  { key: "last_now", unit: 5, quantity: 7 },
  { key: "last_now", unit: 5, quantity: 30 },
  { key: "last_now", unit: 5, quantity: 90 },
  { key: "ago", unit: 4, quantity: 0 },
  { key: "ago", unit: 4, quantity: 1 },
  { key: "ago", unit: 3, quantity: 0 },
  { key: "ago", unit: 3, quantity: 1 },
  { key: "ago", unit: 2, quantity: 0 },
  { key: "ago", unit: 2, quantity: 1 },
  { key: "ago", unit: 1, quantity: 0 },
  { key: "ago", unit: 1, quantity: 1 },
  { key: "to_date", unit: 1, quantity: 1 },
];

/**
 * Returns the ranges that a control of dates offers: those that the author set, or the usual ones. Ranges that queries
 * cannot test are left out.
 */
export function offeredRanges(
  { options }: ChartItem,
  localeId: string,
  timezoneId: string,
): readonly OfferedRange[] {
  const { ranges } = objectOf<"ranges">(options.dateRange);
  const stored = listOf(ranges).filter(isObject<"displayLabel">);
  const given = stored.flatMap((each) => {
    const range = readDateRange(each);
    return range ? [{ range, given: localizedText(each.displayLabel, localeId) }] : [];
  });
  const all = given.length > 0 ? given : usual.map((range) => ({ range, given: "" }));
  return all.map(({ range, given: label }) => ({
    range,
    label: label || withWeekday(range, rangeText(range, localeId, timezoneId), localeId),
  }));
}

/** Names the first day of a range of weeks where people expect another day than Monday. */
function withWeekday(range: DateRange, text: string, localeId: string): string {
  const isWeek = range.key !== "custom" && range.unit === 4 && range.key !== "last_now";
  if (!isWeek || firstDayOf(localeId) === 1) return text;
  const monday = new Intl.DateTimeFormat(localeId, { weekday: "long", timeZone: "UTC" }).format(
    new Date("2026-03-30"),
  );
  return fillIn(controlWordsOf(localeId).weekFrom, { range: text, day: monday });
}

/** Returns the first day of the week in a language: 0 Sunday to 6 Saturday. Monday if the browser does not know. */
export function firstDayOf(localeId: string): number {
  const locale: unknown = new Intl.Locale(localeId);
  const known = isObject<"getWeekInfo" | "weekInfo">(locale) ? locale : {};
  const info: unknown =
    typeof known.getWeekInfo === "function" ? known.getWeekInfo() : known.weekInfo;
  const { firstDay } = objectOf<"firstDay">(info);
  return typeof firstDay === "number" ? firstDay % 7 : 1;
}
