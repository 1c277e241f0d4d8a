import { millisecondsOf } from "../../../../plugins/protocol/index.ts";

const units = {
  second: 1,
  minute: 60,
  hour: 3_600,
  day: 86_400,
  week: 604_800,
  month: 2_592_000,
  year: 31_536_000,
};

/**
 * Parses a duration such as `24 hours` or `1 year`, and returns it in seconds; undefined for any other string. A month
 * has 30 days, and a year has 365 days.
 */
export function parseDuration(text: string): number | undefined {
  const parts = /^(\d{1,9}) (second|minute|hour|day|week|month|year)s?$/.exec(text.trim());
  return parts ? Number(parts[1]) * units[parts[2] as keyof typeof units] : undefined;
}

/** The latest instant that a date can contain. */
const latestMs = 8.64e15;

/**
 * Parses an expiry, which is a duration from now or an ISO instant, in UTC if it names no zone. Undefined for any other
 * string, for days that do not exist, and for dates out of range.
 */
export function parseExpiry(text: string): Date | undefined {
  const seconds = parseDuration(text);
  const time =
    seconds === undefined
      ? /^\d{4}-/.test(text) && millisecondsOf(text)
      : Date.now() + seconds * 1000;
  return typeof time === "number" && Math.abs(time) <= latestMs ? new Date(time) : undefined;
}

/** Maximum lifetime of an embed token, in seconds: a year. */
export const longestLifeS = units.year;
/** Default lifetime of an embed token, in seconds: a day. */
export const usualLifeS = units.day;
