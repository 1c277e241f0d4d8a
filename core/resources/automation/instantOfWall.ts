/**
 * Returns the instant at which the clock of a time zone shows a date and time, in milliseconds since 1970. If the clock
 * skips that time, returns the first instant after the gap. If the time occurs twice, `repeated` chooses the
 * occurrence.
 */
export function instantOfWall(
  wanted: Temporal.PlainDateTime,
  zone: string,
  repeated: "earlier" | "later" = "earlier",
): number {
  const found = wanted.toZonedDateTime(zone, { disambiguation: "earlier" });
  if (!found.toPlainDateTime().equals(wanted))
    // The clock skips this time, and `earlier` found an instant before the gap. The gap ends at the next clock change.
    return found.getTimeZoneTransition("next")?.epochMilliseconds ?? found.epochMilliseconds;
  if (repeated === "earlier") return found.epochMilliseconds;
  return wanted.toZonedDateTime(zone, { disambiguation: "later" }).epochMilliseconds;
}
