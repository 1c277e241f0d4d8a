/** The units of a recurrence. */
export const recurrenceUnits = [
  "minute",
  "hour",
  "day",
  "week",
  "month",
  "quarter",
  "year",
] as const;
export type RecurrenceUnit = (typeof recurrenceUnits)[number];

/** When something recurs: slot k is the anchor plus k times `quantity` units, and slot 0 is the anchor. */
export interface Recurrence {
  /** Milliseconds since 1970. */
  readonly anchorMs: number;
  /** IANA name of the clock on which days and longer units are counted. */
  readonly zone: string;
  readonly unit: RecurrenceUnit;
  /** A whole number from 1. */
  readonly quantity: number;
}

const minuteMs = 60_000;
const elapsedMs: Readonly<Partial<Record<RecurrenceUnit, number>>> = {
  minute: minuteMs,
  hour: 60 * minuteMs,
};
const daysOf: Readonly<Partial<Record<RecurrenceUnit, number>>> = { day: 1, week: 7 };
const monthsOf: Readonly<Partial<Record<RecurrenceUnit, number>>> = {
  month: 1,
  quarter: 3,
  year: 12,
};

/**
 * Returns the first due instant after `afterMs`, in milliseconds since 1970; the anchor when `afterMs` is before it.
 * Counts from the anchor, so nothing drifts. Minutes and hours pass on elapsed time, also over a change of clocks.
 * Longer units keep the anchor's time on the zone's clock: a time that the clock skips becomes the first instant after
 * the gap, a time that comes twice the first of both. A day that a month lacks becomes its last day: 31 January,
 * 28 February, 31 March. Slots that fall on one instant are one. O(1).
 */
export function nextDue(recurrence: Recurrence, afterMs: number): number {
  const { anchorMs, unit, quantity } = recurrence;
  if (afterMs < anchorMs) return anchorMs;
  const lengthMs = elapsedMs[unit];
  if (lengthMs !== undefined) {
    const stepMs = lengthMs * quantity;
    return anchorMs + (Math.floor((afterMs - anchorMs) / stepMs) + 1) * stepMs;
  }
  // The clock of one of both instants may have been changed by up to a day in between.
  for (let slot = Math.max(0, slotsBetween(recurrence, afterMs) - 2); ; slot++) {
    const dueMs = slotAt(recurrence, slot);
    if (dueMs > afterMs) return dueMs;
  }
}

/** Counts the whole slots from the anchor to an instant by the dates on the zone's clock. */
function slotsBetween({ anchorMs, zone, unit, quantity }: Recurrence, untilMs: number): number {
  const [from, until] = [anchorMs, untilMs].map((ms) => onClock(ms, zone).toPlainDate());
  if (!from || !until) return 0;
  const days = daysOf[unit];
  if (days !== undefined)
    return Math.floor(from.until(until, { largestUnit: "day" }).days / (days * quantity));
  const months = (until.year - from.year) * 12 + until.month - from.month;
  return Math.floor(months / ((monthsOf[unit] ?? 1) * quantity));
}

function slotAt({ anchorMs, zone, unit, quantity }: Recurrence, slot: number): number {
  const anchor = onClock(anchorMs, zone).toPlainDateTime();
  const count = slot * quantity;
  const days = daysOf[unit];
  const wanted =
    days === undefined
      ? anchor.add({ months: count * (monthsOf[unit] ?? 1) })
      : anchor.add({ days: count * days });
  const found = wanted.toZonedDateTime(zone, { disambiguation: "earlier" });
  if (found.toPlainDateTime().equals(wanted)) return found.epochMilliseconds;
  // `earlier` of a skipped time is before the gap, so the next change of the clock is where the gap ends.
  return found.getTimeZoneTransition("next")?.epochMilliseconds ?? found.epochMilliseconds;
}

const onClock = (ms: number, zone: string) =>
  Temporal.Instant.fromEpochMilliseconds(ms).toZonedDateTimeISO(zone);
