import type { Knex } from "knex";
import { PluginError } from "../../../plugins/protocol/index.ts";
import type { Principals } from "../../access/index.ts";
import type { ParameterOverride, Principal, Records, ResourceRow } from "../../contracts/index.ts";
import { ApiError } from "../../errors.ts";
import type { Queries } from "../../queries/index.ts";
import { durationMs } from "../../resources/index.ts";
import { type Evaluation, record, stateOf } from "./ledger.ts";
import { observe } from "./observe.ts";
import { type AlertRule, type Observation, type Step, step } from "./step.ts";

export interface EvaluateOptions {
  readonly records: Records;
  readonly queries: Pick<Queries, "evaluate">;
  readonly principals: Principals;
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
  const made = { slotMs, startedMs, ...(await askAlert(alert, slotMs, signal, options)) };
  await records.transaction(async (transaction) => {
    const alertEventId = await record(records, alert, made, transaction);
    if (alertEventId === undefined || made.step.notices.length === 0) return;
    await options.notify({ alert, alertEventId, evaluation: made }, transaction);
  });
}

type Asked = Omit<Evaluation, "slotMs" | "startedMs">;

async function askAlert(
  alert: ResourceRow<"alert">,
  slotMs: number,
  signal: AbortSignal,
  { queries, principals }: EvaluateOptions,
): Promise<Asked> {
  const before = stateOf(alert);
  const stay: Step = { state: before, transitions: [], notices: [] };
  const principal = await principalOf(alert, principals);
  if (!principal)
    return {
      outcome: "skipped",
      reason: alert.is_of_token
        ? "no token of its user is left; make one and set the alert's schedule active again"
        : "its user is gone",
      step: stay,
    };
  const moved = (observation: Observation) => step(before, observation, ruleOf(alert), slotMs);
  try {
    const ask = (query: unknown) => queries.evaluate(query, principal, signal, slotMs);
    const answer = await ask(alert.query);
    const recovery = alert.recovery ? await ask(alert.recovery) : undefined;
    const rows = answer.data.length;
    return { outcome: "answered", rows, answer, step: moved(observe(alert, answer, recovery)) };
  } catch (failure) {
    signal.throwIfAborted();
    if (!(failure instanceof ApiError) && !(failure instanceof PluginError)) throw failure;
    return { outcome: "failed", reason: failure.message, step: moved({ kind: "error" }) };
  }
}

/** The user as it is now, or the newest token of the user; with the parameters that are sticky. */
async function principalOf(
  alert: ResourceRow<"alert">,
  principals: Principals,
): Promise<Principal | undefined> {
  const principal = alert.is_of_token
    ? await principals.ofNewestToken(alert.user_id)
    : await principals.ofUser(alert.user_id);
  if (!principal || !alert.sticky_parameters) return principal;
  const sticky = Object.entries(alert.sticky_parameters) as [string, ParameterOverride][];
  const { restriction, own } = principal;
  if (restriction)
    return {
      ...principal,
      restriction: {
        ...restriction,
        parameters: new Map([...restriction.parameters, ...sticky]),
      },
    };
  const { accountOverrides, metadata, issuer } = own ?? {};
  return {
    ...principal,
    own: {
      parameters: new Map([...(own?.parameters ?? []), ...sticky]),
      accountOverrides: accountOverrides ?? new Map(),
      metadata,
      issuer,
    },
  };
}

/** The rule of an alert as its record keeps it. */
function ruleOf(alert: ResourceRow<"alert">): AlertRule {
  const { notify, no_data, error, mute_until } = alert;
  return {
    notify,
    forMs: durationMs(alert.for),
    keepFiringForMs: durationMs(alert.keep_firing_for),
    noData: no_data,
    error,
    ...(mute_until && { mutedUntilMs: mute_until.getTime() }),
  };
}
