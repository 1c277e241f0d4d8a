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

const hourMs = 3_600_000;
/** Maximum number of cached hours per time zone. */
const keptHours = 100_000;
/** For each time zone, the offset in each cached hour, in milliseconds; NaN if the clock changes in that hour. */
const offsets = new Map<string, Map<number, number>>();

function keptOffset(hour: number, timezoneId: string): number {
  let known = offsets.get(timezoneId);
  if (!known) offsets.set(timezoneId, (known = new Map()));
  const kept = known.get(hour);
  if (kept !== undefined) return kept;
  const start = hour * hourMs;
  const offset = shownAt(start, timezoneId) - start;
  const isKept = shownAt(start + hourMs, timezoneId) - start - hourMs === offset;
  if (known.size >= keptHours) known.clear();
  known.set(hour, isKept ? offset : Number.NaN);
  return isKept ? offset : Number.NaN;
}

/**
 * Returns the wall-clock time of a zone at an instant, as the milliseconds of the UTC instant with the same wall-clock
 * time. Axes use these values, so the hour that occurs twice in autumn has one position.
 */
export function wallClock(instantMs: number, timezoneId: string): number {
  if (timezoneId === "UTC") return instantMs;
  const offset = keptOffset(Math.floor(instantMs / hourMs), timezoneId);
  return Number.isNaN(offset) ? shownAt(instantMs, timezoneId) : instantMs + offset;
}

function shownAt(instantMs: number, timezoneId: string): number {
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
