const units = {
  second: 1,
  minute: 60,
  hour: 3_600,
  day: 86_400,
  week: 604_800,
  month: 2_592_000,
  year: 31_536_000,
};

/** Seconds of a text like `24 hours` or `1 year` (a month has 30 days, a year 365); undefined for any other. */
export function parseDuration(text: string): number | undefined {
  const parts = /^(\d{1,9}) (second|minute|hour|day|week|month|year)s?$/.exec(text.trim());
  return parts ? Number(parts[1]) * units[parts[2] as keyof typeof units] : undefined;
}

/**
 * The instant of a duration from now, or of an ISO instant; undefined for any other text and for what no calendar
 * holds.
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

/** Seconds that a token of a browser may live at most. */
export const longestLifeS = units.year;
/** Seconds that it lives when nothing else is said. */
export const usualLifeS = units.day;
