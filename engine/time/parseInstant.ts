const iso =
  /^([+-]\d{6}|\d{4})-(\d\d)-(\d\d)(?:[T ](\d\d):(\d\d)(?::(\d\d)(?:[.,](\d{1,9}))?)?)? ?(Z|z|[+-]\d\d(?::?\d\d)?)?$/;

/**
 * Parses an ISO 8601 date or datetime to milliseconds since 1970-01-01T00:00:00Z. A string without a zone is read as
 * UTC. Truncates to milliseconds, and accepts a space instead of the `T`. Returns NaN for other strings, and for days
 * and hours that do not exist.
 */
export function parseInstant(text: string): number {
  const match = iso.exec(text);
  if (!match) return NaN;
  const [, year, month, day, hour = "0", minute = "0", second = "0", fraction = "", zone] = match;
  const date = new Date(0);
  date.setUTCFullYear(Number(year), Number(month) - 1, Number(day));
  if (date.getUTCMonth() !== Number(month) - 1) return NaN;
  if (Number(hour) > 23 || Number(minute) > 59 || Number(second) > 59) return NaN;
  const time = Number(hour) * 3_600_000 + Number(minute) * 60_000 + Number(second) * 1000;
  const instant =
    date.getTime() + time + Number(fraction.slice(0, 3).padEnd(3, "0")) - zoneOffsetMs(zone);
  return Math.abs(instant) <= 8.64e15 ? instant : NaN;
}

function zoneOffsetMs(zone: string | undefined): number {
  if (zone === undefined || zone === "Z" || zone === "z") return 0;
  const hours = Number(zone.slice(1, 3));
  const minutes = Number(zone.slice(3).replace(":", "") || "0");
  if (hours > 23 || minutes > 59) return NaN;
  return (zone.startsWith("-") ? -1 : 1) * (hours * 3_600_000 + minutes * 60_000);
}
