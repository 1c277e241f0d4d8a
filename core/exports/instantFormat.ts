import { wallClock } from "../web/charts/index.ts";

/**
 * Returns functions that write instants for people, in a time zone: datetimes as `2001-02-03 04:05:06`, and dates
 * without a time.
 */
export function instantFormat(timezoneId: string): {
  wallClock(instantMs: number): number;
  write(instantMs: number, isDate: boolean): string;
} {
  return {
    wallClock: (instantMs) => wallClock(instantMs, timezoneId),
    write(instantMs, isDate) {
      const shown = isDate ? instantMs : wallClock(instantMs, timezoneId);
      const iso = new Date(shown).toISOString();
      return isDate ? iso.slice(0, -14) : iso.slice(0, -5).replace("T", " ");
    },
  };
}
