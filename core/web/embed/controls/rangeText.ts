import { controlWordsOf } from "./words/controlWordsOf.ts";
import { isDay, fillIn, type DateRange, type RelativeKey } from "../../charts/index.ts";
import type { Forms } from "./words/controlWords.ts";

/** Returns a range of dates in words of a language, such as "Last 7 days" or "1 Mar 2026 – 31 Mar 2026". */
export function rangeText(range: DateRange, localeId: string, timezoneId: string): string {
  const words = controlWordsOf(localeId);
  if (range.key === "custom") {
    const { from, to } = range.customRange;
    const [first, last] = [from, to].map((each) =>
      each === "" ? "…" : dayText(each, localeId, timezoneId),
    );
    return first === last ? `${first}` : `${first} – ${last}`;
  }
  const { key, unit, quantity } = range;
  if (key === "ago" && quantity === 0) return words.current[unit - 1] ?? "";
  if (key === "to_date") return words.toDate[unit - 1] ?? "";
  const isPrevious = (key === "ago" || key === "last_completed") && quantity === 1;
  if (isPrevious) return words.previous[unit - 1] ?? "";
  return severalText(key, unit, quantity, localeId);
}

/** Returns the name of a unit for a count, such as "day" or "days". `level` is a datetime level. */
export function unitText(level: number, count: number, localeId: string): string {
  return formOf(controlWordsOf(localeId).units[level - 1], count, localeId);
}

function severalText(
  key: Exclude<RelativeKey, "to_date">,
  level: number,
  quantity: number,
  localeId: string,
): string {
  const { ranges, units, unitsAgo, feminine } = controlWordsOf(localeId);
  const range = ranges[key];
  const sentence =
    "other" in range ? range : feminine.includes(level) ? range.feminine : range.masculine;
  const isAgo = key === "ago" || key === "more_than_ago" || key === "or_more_ago";
  const unit = (isAgo ? unitsAgo[level - 1] : undefined) ?? units[level - 1];
  return fillIn(formOf(sentence, quantity, localeId), {
    count: new Intl.NumberFormat(localeId).format(quantity),
    unit: formOf(unit, quantity, localeId),
  });
}

/** Returns the form for a count. Relative ranges are tests of whole numbers. */
function formOf(forms: Forms | undefined, count: number, localeId: string): string {
  return forms?.[new Intl.PluralRules(localeId).select(count)] ?? forms?.other ?? "";
}

/** Returns a day or an instant as a date of a language, in the Gregorian calendar. */
function dayText(moment: string, localeId: string, timezoneId: string): string {
  return new Intl.DateTimeFormat(localeId, {
    dateStyle: "medium",
    calendar: "gregory",
    timeZone: isDay(moment) ? "UTC" : timezoneId,
  }).format(new Date(moment));
}
