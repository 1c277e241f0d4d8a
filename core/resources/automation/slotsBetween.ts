import { durationOf, periodLengths } from "../../../plugins/protocol/index.ts";
import { nextDue, type Recurrence } from "./nextDue.ts";

/**
 * Lists the slots of a recurrence in [from, to], in milliseconds since 1970, oldest first. Slots before the anchor are
 * included, as if the recurrence had begun earlier. Returns at most `mostCount` slots.
 */
export function slotsBetween(
  recurrence: Recurrence,
  fromMs: number,
  toMs: number,
  mostCount: number,
): number[] {
  const anchored = { ...recurrence, anchorMs: anchorBefore(recurrence, fromMs) };
  const slots: number[] = [];
  for (let at = nextDue(anchored, fromMs - 1); at <= toMs && slots.length < mostCount;) {
    slots.push(at);
    at = nextDue(anchored, at);
  }
  return slots;
}

/**
 * Returns an anchor at or before an instant that yields the same slots. The anchor precedes the given anchor by a whole
 * number of periods.
 */
function anchorBefore({ anchorMs, zone, unit, quantity }: Recurrence, fromMs: number): number {
  if (anchorMs <= fromMs) return anchorMs;
  const length = periodLengths[unit];
  if ("ms" in length) {
    const stepMs = length.ms * quantity;
    return anchorMs - Math.ceil((anchorMs - fromMs) / stepMs) * stepMs;
  }
  const clock = (ms: number) => Temporal.Instant.fromEpochMilliseconds(ms).toZonedDateTimeISO(zone);
  const anchor = clock(anchorMs).toPlainDateTime();
  const back = (count: number) => anchor.subtract(durationOf(unit, count * quantity));
  const periodDays = quantity * ("days" in length ? length.days : 28 * length.months);
  // Skip a candidate whose month lacks the day, or whose time the clock skips, because it would move every later slot.
  for (let count = Math.floor((anchorMs - fromMs) / 86_400_000 / (periodDays * 2)); ; count++) {
    const wanted = back(count);
    const found = wanted.toZonedDateTime(zone, { disambiguation: "earlier" });
    const isSame = wanted.day === anchor.day || "days" in length;
    if (isSame && found.epochMilliseconds <= fromMs && found.toPlainDateTime().equals(wanted))
      return found.epochMilliseconds;
  }
}
