import { instantOfWall } from "./instantOfWall.ts";

const pattern = /^(?:[01]\d|2[0-3]):[0-5]\d$/;

/** Returns whether a value is a time of day in 24 hours, such as `07:30`. */
export const isTimeOfDay = (value: unknown): value is string =>
  typeof value === "string" && pattern.test(value);

/**
 * Returns an instant moved to a time of day, on the same local date. If the clock skips that time, returns the first
 * instant after the gap.
 */
export function atTimeOfDay(at: Date, time: string, zone: string): Date {
  const date = Temporal.Instant.fromEpochMilliseconds(at.getTime()).toZonedDateTimeISO(zone);
  const wanted = date.toPlainDate().toPlainDateTime(Temporal.PlainTime.from(time));
  return new Date(instantOfWall(wanted, zone));
}
