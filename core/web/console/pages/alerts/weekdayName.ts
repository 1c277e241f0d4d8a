import { readerLocale } from "../../language/index.ts";

const names = new Intl.DateTimeFormat(readerLocale, { weekday: "short", timeZone: "UTC" });

/** Returns the short name of a weekday, from 1 (Monday) to 7, in the reader's language. */
export const weekdayName = (day: number): string =>
  // 5 January 2026 was a Monday.
  names.format(Date.UTC(2026, 0, 4 + day));
