/** A date with a time of day, as a clock on a wall shows it. */
export interface WallTime {
  readonly year: number;
  /** From 1 to 12. */
  readonly month: number;
  readonly day: number;
  /** Milliseconds since midnight. */
  readonly timeMs?: number;
  /** Milliseconds by which the time is ahead of UTC. Absent: the text does not state it. */
  readonly offsetMs?: number;
}

const farthestMs = 8.64e15;

/**
 * Converts a wall time to milliseconds since 1970-01-01T00:00:00Z. A time without an offset is in `timeZone` (UTC if
 * absent). If clocks are set back, an ambiguous time is the earlier one; if they are set forward, a skipped time is
 * moved forward. Undefined for a day that does not exist.
 */
export function instantOfWallTime(
  wall: WallTime,
  timeZone: string | undefined,
): number | undefined {
  const date = new Date(0);
  date.setUTCFullYear(wall.year, wall.month - 1, wall.day);
  if (date.getUTCMonth() !== wall.month - 1 || date.getUTCDate() !== wall.day) return undefined;
  const wallMs = date.getTime() + (wall.timeMs ?? 0);
  const at = wall.offsetMs === undefined ? instantInZone(wallMs, timeZone) : wallMs - wall.offsetMs;
  return Math.abs(at) <= farthestMs ? at : undefined;
}

/** Converts milliseconds of a wall clock in a time zone to milliseconds in UTC, like `instantOfWallTime`. */
export function instantInZone(wallMs: number, timeZone: string | undefined): number {
  if (timeZone === undefined || timeZone === "UTC") return wallMs;
  const before = offsetAt(wallMs - 86_400_000, timeZone);
  const after = offsetAt(wallMs + 86_400_000, timeZone);
  // Around a change of clocks, the larger offset gives the earlier instant.
  for (const offset of [Math.max(before, after), Math.min(before, after)])
    if (offsetAt(wallMs - offset, timeZone) === offset) return wallMs - offset;
  return wallMs - before;
}

const formats = new Map<string, Intl.DateTimeFormat>();

/** Returns by how many milliseconds clocks in a time zone are ahead of UTC at an instant. */
function offsetAt(atMs: number, timeZone: string): number {
  let format = formats.get(timeZone);
  if (!format) {
    format = new Intl.DateTimeFormat("en-US", {
      timeZone,
      calendar: "iso8601",
      hourCycle: "h23",
      era: "short",
      year: "numeric",
      month: "numeric",
      day: "numeric",
      hour: "numeric",
      minute: "numeric",
      second: "numeric",
    });
    formats.set(timeZone, format);
  }
  const seconds = Math.floor(atMs / 1000) * 1000;
  const parts: Record<string, string> = {};
  for (const { type, value } of format.formatToParts(seconds)) parts[type] = value;
  const year = Number(parts["year"]) * 1;
  const date = new Date(0);
  date.setUTCFullYear(
    parts["era"] === "B" || parts["era"] === "BC" ? 1 - year : year,
    Number(parts["month"]) - 1,
    Number(parts["day"]),
  );
  const wallMs =
    date.getTime() +
    (Number(parts["hour"]) * 3600 + Number(parts["minute"]) * 60 + Number(parts["second"])) * 1000;
  return wallMs - seconds;
}
