import { wallClock } from "../web/charts/index.ts";

/** Writes instants for people, in a time zone. */
export interface InstantFormat {
  /** Returns the time that the clock of the zone shows, as milliseconds of the UTC instant with the same clock time. */
  wallClock(instantMs: number): number;
  /**
   * Returns a datetime as `2001-02-03 04:05:06`, and a date without a time. A time that the clock shows twice, because
   * it is set back, is followed by its offset from UTC, such as `+02:00`.
   */
  write(instantMs: number, isDate: boolean): string;
  /** Returns whether the clock shows the time of an instant twice. */
  isRepeated(instantMs: number): boolean;
}

const minuteMs = 60_000;
/** Clocks are set back by less than a day. */
const probedMs = 86_400_000;

/** Returns the functions that write instants for people, in a time zone. */
export function instantFormat(timezoneId: string): InstantFormat {
  const offsetAt = (instantMs: number) => wallClock(instantMs, timezoneId) - instantMs;
  const isRepeated = (instantMs: number) => {
    const offset = offsetAt(instantMs);
    return [instantMs - probedMs, instantMs + probedMs].some((near) => {
      const other = offsetAt(near);
      // The instant at which a clock with the other offset would show the same time.
      return other !== offset && offsetAt(instantMs + offset - other) === other;
    });
  };
  return {
    wallClock: (instantMs) => wallClock(instantMs, timezoneId),
    isRepeated,
    write(instantMs, isDate) {
      const shown = isDate ? instantMs : wallClock(instantMs, timezoneId);
      const iso = new Date(shown).toISOString();
      if (isDate) return iso.slice(0, -14);
      const text = iso.slice(0, -5).replace("T", " ");
      return isRepeated(instantMs) ? text + offsetText(offsetAt(instantMs)) : text;
    },
  };
}

/** Writes an offset from UTC, such as `+02:00`. */
function offsetText(offsetMs: number): string {
  const minutes = Math.round(Math.abs(offsetMs) / minuteMs);
  const two = (number: number) => String(number).padStart(2, "0");
  return `${offsetMs < 0 ? "-" : "+"}${two(Math.floor(minutes / 60))}:${two(minutes % 60)}`;
}
