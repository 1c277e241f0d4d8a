const clocks = new Map<string, Intl.DateTimeFormat>();

function clockOf(timezoneId: string): Intl.DateTimeFormat {
  const known = clocks.get(timezoneId);
  if (known) return known;
  const clock = new Intl.DateTimeFormat("en-US", {
    timeZone: timezoneId,
    hourCycle: "h23",
    year: "numeric",
    month: "numeric",
    day: "numeric",
    hour: "numeric",
    minute: "numeric",
    second: "numeric",
    era: "short",
  });
  clocks.set(timezoneId, clock);
  return clock;
}

/**
 * Returns what the clock of a zone shows at an instant, as the milliseconds of an instant at which the clock of UTC
 * shows the same. Axes are drawn on it, so the two hours that a clock shows twice in autumn share one place.
 */
export function wallClock(instantMs: number, timezoneId: string): number {
  if (timezoneId === "UTC") return instantMs;
  const parts = new Map<string, string>();
  for (const { type, value } of clockOf(timezoneId).formatToParts(instantMs))
    parts.set(type, value);
  const part = (name: string) => Number(parts.get(name));
  const year = parts.get("era") === "BC" ? 1 - part("year") : part("year");
  const shown = new Date(0);
  shown.setUTCFullYear(year, part("month") - 1, part("day"));
  shown.setUTCHours(part("hour"), part("minute"), part("second"), 0);
  return shown.getTime() + (((instantMs % 1000) + 1000) % 1000);
}
