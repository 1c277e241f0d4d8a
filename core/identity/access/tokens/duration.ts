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

/**
 * Parses an expiry, which is a duration from now or an ISO instant. Undefined for any other string, and for dates out
 * of range.
 */
export function parseExpiry(text: string): Date | undefined {
  const seconds = parseDuration(text);
  const isInstant = /^\d{4}-\d\d-\d\d/.test(text);
  const time =
    seconds === undefined
      ? isInstant
        ? Date.parse(text)
        : Number.NaN
      : Date.now() + seconds * 1000;
  return Number.isNaN(new Date(time).getTime()) ? undefined : new Date(time);
}

/** Maximum lifetime of an embed token, in seconds: a year. */
export const longestLifeS = units.year;
/** Default lifetime of an embed token, in seconds: a day. */
export const usualLifeS = units.day;
