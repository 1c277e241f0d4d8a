const iso =
  /^([+-]\d{6}|\d{4})-(\d\d)-(\d\d)(?:[T ](\d\d):(\d\d)(?::(\d\d)(?:[.,](\d{1,9}))?)?)? ?(Z|z|[+-]\d\d(?::?\d\d)?)?$/;

/**
 * Parses an ISO 8601 date or datetime as milliseconds since 1970-01-01T00:00:00Z. A string without a zone is read as
 * UTC. Digits after the millisecond are dropped. A space may replace the `T`, because databases print datetimes in this
 * way. Undefined for other strings, and for days and times that do not exist.
 */
export function millisecondsOf(text: string): number | undefined {
  const match = iso.exec(text);
  if (!match) return undefined;
  const [, year, month, day, hour = "0", minute = "0", second = "0", fraction = "", zone] = match;
  const date = new Date(0);
  date.setUTCFullYear(Number(year), Number(month) - 1, Number(day));
  // Date.UTC would accept a day that the month does not have, and move it to another month.
  if (date.getUTCMonth() !== Number(month) - 1) return undefined;
  if (Number(hour) > 23 || Number(minute) > 59 || Number(second) > 59) return undefined;
  const offsetMs = zone ? zoneOffsetMs(zone) : 0;
  if (offsetMs === undefined) return undefined;
  const millisecond = Number(fraction.slice(0, 3).padEnd(3, "0"));
  const value =
    date.getTime() +
    Number(hour) * 3_600_000 +
    Number(minute) * 60_000 +
    Number(second) * 1000 +
    millisecond -
    offsetMs;
  return Math.abs(value) <= 8.64e15 ? value : undefined;
}

function zoneOffsetMs(zone: string): number | undefined {
  if (zone === "Z" || zone === "z") return 0;
  const hours = Number(zone.slice(1, 3));
  const minutes = Number(zone.slice(3).replace(":", "") || "0");
  if (hours > 23 || minutes > 59) return undefined;
  return (zone.startsWith("-") ? -1 : 1) * (hours * 3_600_000 + minutes * 60_000);
}
