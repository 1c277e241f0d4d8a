import {
  durationOf,
  periodLengths,
  type CalendarLength,
  type Level,
} from "../../../plugins/protocol/index.ts";
import { instantOfWall } from "./instantOfWall.ts";

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

/** When something recurs: slot k is k times `quantity` units after the anchor, so slot 0 is the anchor. */
export interface Recurrence {
  /** The due instant of slot 0, in milliseconds since 1970. */
  readonly anchorMs: number;
  /** IANA name of the time zone whose clock counts days and longer units. */
  readonly zone: string;
  readonly unit: RecurrenceUnit;
  /** Number of units between two slots: a positive integer. */
  readonly quantity: number;
}

/**
 * Returns the first due instant after `afterMs`, in milliseconds since 1970, or the anchor if `afterMs` is before it.
 * Slots are counted from the anchor, so they never drift. Minutes and hours are elapsed time, even across a clock
 * change. Longer units keep the anchor's local time. If the clock skips that time, the slot is due at the first instant
 * after the gap; if the time occurs twice, the slot is due at the first occurrence. If a month lacks the day, its last
 * day is used: 31 January, 28 February, 31 March. Slots at the same instant count as one slot. O(1).
 */
export function nextDue(recurrence: Recurrence, afterMs: number): number {
  const { anchorMs, unit, quantity } = recurrence;
  if (afterMs < anchorMs) return anchorMs;
  const length = periodLengths[unit];
  if ("ms" in length) {
    const stepMs = length.ms * quantity;
    return anchorMs + (Math.floor((afterMs - anchorMs) / stepMs) + 1) * stepMs;
  }
  // A clock change may have moved either instant by up to a day, so start two slots earlier.
  for (let slot = Math.max(0, slotsBetween(recurrence, length, afterMs) - 2); ; slot++) {
    const dueMs = slotAt(recurrence, slot);
    if (dueMs > afterMs) return dueMs;
  }
}

/** Counts the complete slots between the anchor and an instant, using local dates. */
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
  return instantOfWall(wanted, zone);
}

const onClock = (ms: number, zone: string) =>
  Temporal.Instant.fromEpochMilliseconds(ms).toZonedDateTimeISO(zone);
