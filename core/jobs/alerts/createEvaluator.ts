import type { Knex } from "knex";
import { arrayBinding } from "../../catalog/index.ts";
import { lacks, type Principals } from "../../identity/index.ts";
import type { Principal, Records, ResourceRow } from "../../base/index.ts";
import type { Queries } from "../../queries/index.ts";
import { quietUntil } from "../../resources/index.ts";
import { inGroups } from "../queue/inGroups.ts";
import { evaluateAlert, principalsOf } from "./evaluateAlert.ts";
import { createStarvationGuard } from "./createStarvationGuard.ts";
import { type EvaluatedSlot, record, type Recorded, stateOf } from "./ledger.ts";
import { hasUntold } from "./step.ts";
import { shareQueries } from "./shareQueries.ts";

export interface EvaluatorOptions {
  readonly knex: Knex;
  readonly records: Records;
  readonly queries: Pick<Queries, "evaluate">;
  readonly principals: Pick<Principals, "ofUsers" | "ofNewestTokens">;
  /** Counts a job against the quota of an organization. @throws {ApiError} if the quota is used up */
  readonly spendJob?: (organizationId: string) => Promise<void>;
  readonly notify: Notify;
  /** Adds jobs that evaluate alerts at the end of their quiet hours. */
  readonly addSlots: AddSlots;
}

/** Adds the jobs of additional slots of alerts, in a transaction. */
export type AddSlots = (
  slots: readonly Omit<Slot, "signal">[],
  transaction: Knex.Transaction,
) => Promise<void>;

/** Adds the messages of evaluations in the transaction that writes the ledger. */
export type Notify = (
  evaluated: readonly Recorded[],
  transaction: Knex.Transaction,
) => Promise<void>;

/** A slot of an alert, with the signal that stops its evaluation. */
export interface Slot {
  readonly alertId: string;
  readonly slotMs: number;
  readonly signal: AbortSignal;
  /**
   * Whether the slot was skipped on purpose and is evaluated afterwards. The ledger records this, and no message is
   * sent.
   */
  readonly isAfterwards?: boolean;
}

/** Evaluates the alerts of a host. Its methods ignore a slot that is already in the ledger. */
export interface Evaluator {
  /**
   * Evaluates a slot of an alert: runs the alert's query as its user, and steps its states. Writes the ledger, the
   * states and the messages in one transaction. If the alert's user or token no longer exists or lacks `flag_alerting`,
   * the alert stops, and the ledger states the reason. A failing source is recorded as an outcome, not thrown.
   * @throws the failures of the catalog, and the signal's reason
   */
  evaluate(slot: Slot): Promise<void>;
  /**
   * Records a slot as failed if no attempt could evaluate it, without running its query. The alert's policy for errors
   * applies.
   * @throws the failures of the catalog
   */
  giveUp(lost: LostSlot): Promise<void>;
}

/** A slot that no attempt could evaluate, with the reason why the last attempt failed. */
export interface LostSlot extends Omit<Slot, "signal" | "isAfterwards"> {
  readonly problem: string;
}

/** An alert that is not yet evaluated for a slot, and the principal to evaluate it as. */
interface Loaded {
  readonly alert: ResourceRow<"alert">;
  readonly principal: Principal | undefined;
}

type Key = Pick<Slot, "alertId" | "slotMs">;

/** How long people's queries may keep the host fully busy before an evaluation gets their priority. */
const patienceMs = 10_000;
/** Maximum number of slots that one statement loads or one transaction records. */
const mostSlots = 200;
/**
 * Minimum milliseconds between two statements that load slots, or two transactions that record them, so that each
 * statement or transaction serves many slots.
 */
const loadEveryMs = 25;
const recordEveryMs = 50;
/** The reason in the ledger for a slot that was evaluated afterwards. */
const afterwards = "evaluated later, without a message";
/** Maximum number of characters that the ledger stores of an error message. */
const longestProblem = 300;

/**
 * Creates the evaluator of a host. Concurrent evaluations are loaded by one statement and recorded in one transaction.
 */
export function createEvaluator(options: EvaluatorOptions): Evaluator {
  const guard = createStarvationGuard({ patienceMs });
  const queries: Pick<Queries, "evaluate"> = {
    evaluate: shareQueries((query, principal, signal, nowMs) =>
      guard(
        (isBackground, until) =>
          options.queries.evaluate(query, principal, until, nowMs, isBackground),
        signal,
      ),
    ),
  };
  const { spendJob } = options;
  const spending = spendJob ? { spendJob } : {};
  const load = inGroups((slots: readonly Key[]) => loadAlerts(slots, options), {
    mostItems: mostSlots,
    everyMs: loadEveryMs,
  });
  const write = inGroups((slots: readonly EvaluatedSlot[]) => recordAll(slots, options), {
    mostItems: mostSlots,
    everyMs: recordEveryMs,
  });
  return {
    async evaluate({ alertId, slotMs, signal, isAfterwards = false }) {
      const loaded = await load({ alertId, slotMs });
      if (!loaded) return;
      const { alert, principal } = loaded;
      const slot = { alert, slotMs, startedMs: Date.now() };
      const found =
        principal && !lacks(principal, "flag_alerting")
          ? await evaluateAlert(
              alert,
              principal,
              { slotMs, signal, state: stateOf(alert) },
              { queries, ...spending },
            )
          : skipped(alert, principal);
      const reason = found.reason ?? afterwards;
      await write({ ...slot, ...found, ...(isAfterwards && { isAfterwards, reason }) });
    },
    async giveUp({ alertId, slotMs, problem }) {
      // Does not call `load`, because the failure may be caused by data that `load` reads in addition to the alert.
      const [alert] = await options.records.find("alert", { id: alertId });
      if (!alert) return;
      await write({ alert, slotMs, startedMs: Date.now(), ...lost(problem) });
    },
  };
}

/** Returns the result of a slot that no attempt could evaluate. */
const lost = (problem: string) =>
  ({
    outcome: "failed",
    reason: `every attempt to evaluate the alert failed, and there will be no further attempt: ${problem.slice(0, longestProblem)}`,
    observation: { kind: "error" },
  }) as const;

/**
 * Returns the result of an alert that is skipped because its user no longer exists or lacks the right to use alerts.
 */
const skipped = ({ is_of_token }: ResourceRow<"alert">, principal: Principal | undefined) =>
  ({
    outcome: "skipped",
    reason: principal
      ? "!flag_alerting removes the alerts feature from the alert's user; delete the flag from feature_overrides, then activate the alert's schedule again"
      : is_of_token
        ? "the newest token of the alert's user is no longer valid; create a new token and activate the alert's schedule again"
        : "the alert's user no longer exists",
  }) as const;

async function loadAlerts(
  slots: readonly Key[],
  { knex, records, principals }: EvaluatorOptions,
): Promise<readonly (Loaded | undefined)[]> {
  const ids = slots.map(({ alertId }) => alertId);
  const [alerts, recorded] = await Promise.all([
    records.find("alert", { id: ids }),
    knex("alertevent")
      .select("alert_id", "slot_at")
      .whereRaw("(alert_id, slot_at) in (select * from unnest(?::uuid[], ?::timestamptz[]))", [
        arrayBinding(ids),
        arrayBinding(slots.map(({ slotMs }) => new Date(slotMs).toISOString())),
      ]),
  ]);
  const done = new Set(recorded.map(({ alert_id, slot_at }) => `${alert_id} ${Number(slot_at)}`));
  const byId = new Map(alerts.map((alert) => [alert.id, alert]));
  const found = slots.map(({ alertId, slotMs }) =>
    done.has(`${alertId} ${slotMs}`) ? undefined : byId.get(alertId),
  );
  const alertsLeft = found.filter((alert) => alert !== undefined);
  const whom = await principalsOf(alertsLeft, principals);
  const principalOf = new Map(alertsLeft.map((alert, index) => [alert, whom[index]]));
  return found.map((alert) => alert && { alert, principal: principalOf.get(alert) });
}

async function recordAll(
  slots: readonly EvaluatedSlot[],
  { records, notify, addSlots }: EvaluatorOptions,
): Promise<readonly undefined[]> {
  await records.transaction(async (transaction) => {
    const recorded: Recorded[] = [];
    for (const each of byAlert(slots)) recorded.push(...(await record(records, each, transaction)));
    const reported = recorded.filter(
      ({ evaluation: { step, isAfterwards } }) => !isAfterwards && step.notices.length > 0,
    );
    if (reported.length > 0) await notify(reported, transaction);
    const later = await slotsAfterQuiet(recorded, transaction);
    if (later.length > 0) await addSlots(later, transaction);
  });
  return slots.map(() => undefined);
}

/**
 * Returns the ends of quiet hours as additional slots, for alerts with something to report whose next slot is after
 * that end. The alert is then evaluated again, and reports only what is still true.
 */
async function slotsAfterQuiet(
  recorded: readonly Recorded[],
  transaction: Knex.Transaction,
): Promise<readonly { readonly alertId: string; readonly slotMs: number }[]> {
  const ends = recorded.flatMap(({ alert, evaluation: { slotMs, step, isAfterwards } }) => {
    const { quiet_hours: hours, schedule_id: scheduleId } = alert;
    if (!hours || scheduleId === null || isAfterwards || !hasUntold(step.state)) return [];
    const untilMs = quietUntil(hours, slotMs);
    return untilMs === undefined || untilMs === slotMs
      ? []
      : [{ alertId: alert.id, scheduleId, slotMs: untilMs }];
  });
  if (ends.length === 0) return [];
  const schedules: { id: string; scheduled_at: Date | null; active: boolean }[] = await transaction(
    "schedule",
  )
    .select("id", "scheduled_at", "active")
    .whereRaw("id = any(?::uuid[])", [arrayBinding(ends.map(({ scheduleId }) => scheduleId))]);
  const scheduleById = new Map(schedules.map((each) => [each.id, each]));
  return ends.flatMap(({ alertId, scheduleId, slotMs }) => {
    const { scheduled_at: next = null, active = false } = scheduleById.get(scheduleId) ?? {};
    const isNeeded = active && (next === null || next.getTime() > slotMs);
    return isNeeded ? [{ alertId, slotMs }] : [];
  });
}

/** Divides slots into parts with at most one slot per alert, oldest slots first. */
function byAlert(slots: readonly EvaluatedSlot[]): readonly (readonly EvaluatedSlot[])[] {
  const parts: EvaluatedSlot[][] = [];
  const counts = new Map<string, number>();
  for (const each of slots.toSorted((one, other) => one.slotMs - other.slotMs)) {
    const count = counts.get(each.alert.id) ?? 0;
    counts.set(each.alert.id, count + 1);
    (parts[count] ??= []).push(each);
  }
  return parts;
}
