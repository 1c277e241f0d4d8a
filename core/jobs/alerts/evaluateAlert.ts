import type { Knex } from "knex";
import type { Records, ResourceRow } from "../../contracts/index.ts";
import { type AskOptions, askAlert, principalOf } from "./askAlert.ts";
import { type Evaluation, record, stateOf } from "./ledger.ts";
import { ruleOf } from "./ruleOf.ts";
import { step } from "./step.ts";

export interface EvaluateOptions extends AskOptions {
  readonly records: Records;
  readonly notify: Notify;
}

/** Adds the messages of an evaluation to the transaction of the ledger. */
export type Notify = (
  evaluated: {
    readonly alert: ResourceRow<"alert">;
    readonly alertEventId: string;
    readonly evaluation: Evaluation;
  },
  transaction: Knex.Transaction,
) => Promise<void>;

/** A slot of an alert, and the signal that ends its evaluation. */
export interface Slot {
  readonly alertId: string;
  readonly slotMs: number;
  readonly signal: AbortSignal;
}

/**
 * Evaluates an alert for one of its slots: asks its query as its user, steps its state, and writes the ledger, the
 * state and the messages in one transaction. A slot that is in the ledger is not evaluated again. An alert
 * whose user or token has ended stops and says so. A source that fails is an outcome; nothing is thrown for it.
 * @throws the failures of the catalog, and the signal's reason
 */
export async function evaluateAlert(
  { alertId, slotMs, signal }: Slot,
  options: EvaluateOptions,
): Promise<void> {
  const { records } = options;
  const [alert] = await records.find("alert", { id: alertId });
  const slot = { alert_id: alertId, slot_at: new Date(slotMs) };
  if (!alert || (await records.find("alertevent", slot)).length > 0) return;
  const startedMs = Date.now();
  const made = { slotMs, startedMs, ...(await evaluate(alert, slotMs, signal, options)) };
  await records.transaction(async (transaction) => {
    const alertEventId = await record(records, alert, made, transaction);
    if (alertEventId === undefined || made.step.notices.length === 0) return;
    await options.notify({ alert, alertEventId, evaluation: made }, transaction);
  });
}

/** Asks an alert as its user, and steps its state; changes nothing. */
async function evaluate(
  alert: ResourceRow<"alert">,
  slotMs: number,
  signal: AbortSignal,
  options: EvaluateOptions,
): Promise<Omit<Evaluation, "slotMs" | "startedMs">> {
  const before = stateOf(alert);
  const principal = await principalOf(alert, options.principals);
  if (!principal)
    return {
      outcome: "skipped",
      reason: alert.is_of_token
        ? "no token of its user is left; make one and set the alert's schedule active again"
        : "its user is gone",
      step: { state: before, transitions: [], notices: [] },
    };
  const asked = await askAlert(alert, principal, { slotMs, signal }, options);
  return { ...asked, step: step(before, asked.observation, ruleOf(alert), slotMs) };
}
