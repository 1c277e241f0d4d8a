import {
  durationOf,
  periodLengths,
  type CalendarLength,
  type Level,
} from "../../../plugins/protocol/index.ts";

/** The units of a recurrence. */
export const recurrenceUnits = [
  "minute",
  "hour",
  "day",
  "week",
  "month",
  "quarter",
  "year",
] as const satisfies readonly Level[];
export type RecurrenceUnit = (typeof recurrenceUnits)[number];

/** When something recurs: slot k is the anchor plus k times `quantity` units, so slot 0 is the anchor. */
export interface Recurrence {
  /** Milliseconds since 1970. */
  readonly anchorMs: number;
  /** IANA name of the time zone whose clock counts days and longer units. */
  readonly zone: string;
  readonly unit: RecurrenceUnit;
  /** A whole number from 1. */
  readonly quantity: number;
}

/**
 * Returns the first due instant after `afterMs`, in milliseconds since 1970; the anchor if `afterMs` is before it. It
 * counts from the anchor, so nothing drifts. Minutes and hours are elapsed time, even across a change of clocks. Longer
 * units keep the anchor's local time. A local time that the clock skips becomes the first instant after the gap; a time
 * that occurs twice means the first occurrence. A day missing in a month becomes the month's last day: 31 January, 28
 * February, 31 March. Slots at the same instant count as one. O(1).
 */
export function nextDue(recurrence: Recurrence, afterMs: number): number {
  const { anchorMs, unit, quantity } = recurrence;
  if (afterMs < anchorMs) return anchorMs;
  const length = periodLengths[unit];
  if ("ms" in length) {
    const stepMs = length.ms * quantity;
    return anchorMs + (Math.floor((afterMs - anchorMs) / stepMs) + 1) * stepMs;
  }
  // A change of clocks may have moved either instant by up to a day.
  for (let slot = Math.max(0, slotsBetween(recurrence, length, afterMs) - 2); ; slot++) {
    const dueMs = slotAt(recurrence, slot);
    if (dueMs > afterMs) return dueMs;
  }
}

/** Counts the whole slots from the anchor to an instant by local dates. */
function slotsBetween(
  { anchorMs, zone, quantity }: Recurrence,
  length: CalendarLength,
  untilMs: number,
): number {
  const [from, until] = [anchorMs, untilMs].map((ms) => onClock(ms, zone).toPlainDate());
  if (!from || !until) return 0;
  if ("days" in length)
    return Math.floor(from.until(until, { largestUnit: "day" }).days / (length.days * quantity));
  const months = (until.year - from.year) * 12 + until.month - from.month;
  return Math.floor(months / (length.months * quantity));
}

function slotAt({ anchorMs, zone, unit, quantity }: Recurrence, slot: number): number {
  const anchor = onClock(anchorMs, zone).toPlainDateTime();
  const wanted = anchor.add(durationOf(unit, slot * quantity));
  const found = wanted.toZonedDateTime(zone, { disambiguation: "earlier" });
  if (found.toPlainDateTime().equals(wanted)) return found.epochMilliseconds;
  // `earlier` of a skipped time is before the gap, so the gap ends at the next change of clocks.
  return found.getTimeZoneTransition("next")?.epochMilliseconds ?? found.epochMilliseconds;
}

const onClock = (ms: number, zone: string) =>
  Temporal.Instant.fromEpochMilliseconds(ms).toZonedDateTimeISO(zone);
