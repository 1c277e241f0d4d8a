import { namesOf, oneOf } from "./schemas.ts";

/** The length of a period in calendar months or days. */
export type CalendarLength = { readonly months: number } | { readonly days: number };

/** The length of a period that does not depend on the calendar. */
export interface FixedLength {
  readonly ms: number;
}

/** The table of levels, coarsest first. */
const definitions = {
  year: { months: 12 },
  quarter: { months: 3 },
  month: { months: 1 },
  week: { days: 7 },
  day: { days: 1 },
  hour: { ms: 3_600_000 },
  minute: { ms: 60_000 },
  second: { ms: 1000 },
  millisecond: { ms: 1 },
} as const satisfies Readonly<Record<string, CalendarLength | FixedLength>>;

/** The name of a level, such as `month`. Weeks start on Monday. */
export type Level = keyof typeof definitions;

/** A level whose periods consist of whole days. These levels also apply to dates without a time. */
export type LevelOfDays = {
  [Name in Level]: (typeof definitions)[Name] extends { readonly ms: number } ? never : Name;
}[Level];

/** The length of each level. */
export const periodLengths: Readonly<
  Record<LevelOfDays, CalendarLength> & Record<Exclude<Level, LevelOfDays>, FixedLength>
> = definitions;

/** The names of the levels, coarsest first. */
export const levels: readonly Level[] = namesOf(definitions);

/** The schema of a level's name. */
export const Level = oneOf(levels);

/**
 * Returns the number of a level, from 1 for years to 9 for milliseconds. Clients' queries and stored dashboards use
 * this number.
 */
export function levelNumber(level: Level): number {
  return levels.indexOf(level) + 1;
}

/** Returns the level with a given number. Undefined for any other value. */
export function levelOfNumber(number: unknown): Level | undefined {
  return levels.find((level) => levelNumber(level) === number);
}

/** Returns the duration of a number of periods. */
export function durationOf(level: Level, count: number): Temporal.DurationLike {
  const length = periodLengths[level];
  if ("months" in length) return { months: count * length.months };
  return "days" in length ? { days: count * length.days } : { milliseconds: count * length.ms };
}

/** Returns whether the periods of a level consist of whole days. */
export function isOfDays(level: Level): level is LevelOfDays {
  return fixedLengthMs(level) === undefined;
}

/** Returns the length of a level's periods in milliseconds. Undefined if the length depends on the calendar. */
export function fixedLengthMs(level: Level): number | undefined {
  const length = periodLengths[level];
  return "ms" in length ? length.ms : undefined;
}
