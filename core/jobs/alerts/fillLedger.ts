import { ApiError, type Records } from "../../base/index.ts";
import { slotsBetween } from "../../resources/index.ts";
import type { Evaluator } from "./createEvaluator.ts";
import type { PastOfAlert } from "./pastOfAlert.ts";

/** Maximum number of slots per call. */
const mostSlots = 500;

/**
 * Evaluates the past slots of an alert, oldest first, with the clock set to each slot. Records them in the alert's
 * ledger with the reason that they were evaluated afterwards. Sends no messages. Slots that are already in the ledger
 * stay unchanged, and slots before the newest slot in the ledger change no state. Resolves to the number of evaluated
 * slots. Each slot costs one query.
 * @throws {ApiError} RECORD_NOT_FOUND; MEMBER_INVALID above 500 slots
 */
export async function fillLedger(
  { alertId, fromMs, toMs }: PastOfAlert,
  signal: AbortSignal,
  { records, evaluator }: { readonly records: Records; readonly evaluator: Evaluator },
): Promise<number> {
  const [alert] = await records.find("alert", { id: alertId });
  if (!alert) throw new ApiError("RECORD_NOT_FOUND", ["alert", alertId]);
  const [schedule] =
    alert.schedule_id === null ? [] : await records.find("schedule", { id: alert.schedule_id });
  const { unit, quantity } = alert.frequency;
  const anchor = schedule?.started_at ?? schedule?.created_at ?? alert.created_at;
  const zone = alert.timezone_id ?? schedule?.timezone ?? "UTC";
  const recurrence = { anchorMs: anchor.getTime(), zone, unit, quantity };
  const slots = slotsBetween(recurrence, fromMs, Math.min(toMs, Date.now()), mostSlots + 1);
  if (slots.length > mostSlots)
    throw new ApiError("MEMBER_INVALID", [
      "from",
      `must be late enough that at most ${mostSlots} slots are evaluated`,
    ]);
  for (const slotMs of slots)
    await evaluator.evaluate({ alertId, slotMs, signal, isAfterwards: true });
  return slots.length;
}
