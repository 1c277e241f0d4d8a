import { periodLengths, type Period } from "../types.ts";

export const dayMs = 86_400_000;
const weekMs = 7 * dayMs;
/** 1970-01-05, the first Monday. */
const mondayMs = 4 * dayMs;

/** Returns the milliseconds of a period whose length does not depend on the calendar; undefined for other periods. */
export function fixedLengthMs(period: Period): number | undefined {
  const length = periodLengths[period];
  return "ms" in length ? length.ms : undefined;
}

/** Truncates a local time (milliseconds as if the clock were UTC) to the start of its period. */
export function floorLocal(period: Period, local: number): number {
  if (period === "day") return Math.floor(local / dayMs) * dayMs;
  if (period === "week") return Math.floor((local - mondayMs) / weekMs) * weekMs + mondayMs;
  if (period === "year" || period === "quarter" || period === "month") {
    const length = periodLengths[period].months;
    const month = monthOfDay(Math.floor(local / dayMs));
    return dayOfMonth(Math.floor(month / length) * length) * dayMs;
  }
  const length = periodLengths[period].ms;
  return Math.floor(local / length) * length;
}

/** Returns the start of the next period after the period that starts at `local`. */
export function nextLocal(period: Period, local: number): number {
  if (period === "day") return local + dayMs;
  if (period === "week") return local + weekMs;
  if (period === "year" || period === "quarter" || period === "month")
    return dayOfMonth(monthOfDay(Math.floor(local / dayMs)) + periodLengths[period].months) * dayMs;
  return local + periodLengths[period].ms;
}

/**
 * Returns the month of a day, in months since year 0. The day is given in days since 1970. Source: Howard Hinnant,
 * chrono-Compatible Low-Level Date Algorithms, civil_from_days.
 */
export function monthOfDay(day: number): number {
  const shifted = day + 719_468;
  const era = Math.floor(shifted / 146_097);
  const dayOfEra = shifted - era * 146_097;
  const yearOfEra = Math.floor(
    (dayOfEra -
      Math.floor(dayOfEra / 1460) +
      Math.floor(dayOfEra / 36_524) -
      Math.floor(dayOfEra / 146_096)) /
      365,
  );
  const dayOfYear =
    dayOfEra - (365 * yearOfEra + Math.floor(yearOfEra / 4) - Math.floor(yearOfEra / 100));
  const monthFromMarch = Math.floor((5 * dayOfYear + 2) / 153);
  return (yearOfEra + era * 400) * 12 + monthFromMarch + 2;
}

/**
 * Returns the first day of a month, in days since 1970. The month is given in months since year 0. This is the inverse
 * of `monthOfDay`.
 */
export function dayOfMonth(month: number): number {
  const fromMarch = month - 2;
  const year = Math.floor(fromMarch / 12);
  const monthFromMarch = fromMarch - year * 12;
  const era = Math.floor(year / 400);
  const yearOfEra = year - era * 400;
  const dayOfYear = Math.floor((153 * monthFromMarch + 2) / 5);
  return (
    era * 146_097 +
    yearOfEra * 365 +
    Math.floor(yearOfEra / 4) -
    Math.floor(yearOfEra / 100) +
    dayOfYear -
    719_468
  );
}
