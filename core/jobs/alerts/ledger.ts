import type { Knex } from "knex";
import { arrayBinding } from "../../catalog/index.ts";
import type { Records, ResourceRow } from "../../base/index.ts";
import type { QueryAnswer } from "../../queries/index.ts";
import { type AlertStatus, alertStatuses } from "../../resources/index.ts";
import { storeObservation } from "./observe.ts";
import { ruleOf } from "./ruleOf.ts";
import { type AlertState, type InstanceState, type Observation, step, type Step } from "./step.ts";

/** The outcome of an evaluation. `skipped`: the alert stops, because there is no principal to evaluate it as. */
export type Outcome = "answered" | "failed" | "skipped";

/** The result of one evaluation, before the alert's states are stepped. */
export interface EvaluatedSlot {
  readonly alert: ResourceRow<"alert">;
  readonly slotMs: number;
  readonly startedMs: number;
  readonly outcome: Outcome;
  /** Why the evaluation failed or was skipped, or the note that it ran afterwards. */
  readonly reason?: string;
  /** Whether the slot was skipped on purpose and evaluated afterwards. No message is sent. */
  readonly isAfterwards?: boolean;
  /** Number of rows in the answer; absent if the query was not answered. */
  readonly rows?: number;
  readonly answer?: QueryAnswer;
  /** The present values of instances that were not ok and do not match. */
  readonly values?: QueryAnswer;
  /** What the evaluation observed; absent if the evaluation was skipped. */
  readonly observation?: Observation;
}

/** One evaluation as the ledger stores it. */
export interface Evaluation extends Omit<EvaluatedSlot, "alert"> {
  readonly step: Step;
}

/** An evaluation in the ledger, with the id of its record. */
export interface Recorded {
  readonly alert: ResourceRow<"alert">;
  readonly alertEventId: string;
  readonly evaluation: Evaluation;
}

/** Returns the states of an alert from its record. */
export function stateOf({ instances }: Pick<ResourceRow<"alert">, "instances">): AlertState {
  return new Map(instances as [string, InstanceState][]);
}

/** Returns the status of an alert: the worst status of its instances. */
export function statusOf(state: AlertState): AlertStatus {
  const worst = [...state.values()].map(({ status }) => bySeverity.indexOf(status));
  return bySeverity[Math.max(0, ...worst)] ?? "ok";
}

const bySeverity: readonly AlertStatus[] = [
  "ok",
  "pending",
  "recovering",
  "no_data",
  "error",
  "firing",
] satisfies (typeof alertStatuses)[number][];

interface Locked {
  readonly id: string;
  readonly status: string;
  readonly instances: unknown[];
  /** The newest slot in the ledger. */
  readonly newest: Date | null;
  /** The slots of this call that are already in the ledger, in milliseconds. */
  readonly recorded: readonly number[];
}

/**
 * Records evaluations of different alerts, and their new states, in the caller's transaction. The new states follow
 * from the states that are stored at that moment, so that two hosts never step from the same state. A slot that is
 * already recorded changes nothing and is not in the result. A slot older than the newest slot in the ledger changes no
 * state, and sends messages only if the alert notifies at every evaluation. Runs five statements for any number of
 * evaluations.
 */
export async function record(
  records: Records,
  slots: readonly EvaluatedSlot[],
  transaction: Knex.Transaction,
): Promise<readonly Recorded[]> {
  const locked = await lockAlerts(slots, transaction);
  const made = slots.flatMap((each) => {
    const { observation } = each;
    const row = locked.get(each.alert.id);
    if (!row || row.recorded.includes(each.slotMs)) return [];
    const before = stateOf(row);
    const isLate = row.newest !== null && row.newest.getTime() > each.slotMs;
    const rule = ruleOf(each.alert);
    const stay: Step = { state: before, transitions: [], notices: [] };
    const moved = observation ? step(before, observation, rule, each.slotMs) : stay;
    const kept = isLate
      ? { ...stay, notices: rule.notify === "every" ? moved.notices : [] }
      : moved;
    const { alert, ...evaluation } = each;
    return [{ alert, before: row.status, evaluation: { ...evaluation, step: kept } }];
  });
  const completedAt = new Date();
  const events = await records.insertMany(
    "alertevent",
    made.map(({ alert, before, evaluation }) => ({
      alert_id: alert.id,
      slot_at: new Date(evaluation.slotMs),
      started_at: new Date(evaluation.startedMs),
      completed_at: completedAt,
      outcome: evaluation.outcome,
      reason: evaluation.reason ?? null,
      rows: evaluation.rows ?? null,
      status_before: before,
      status_after: statusOf(evaluation.step.state),
      transitions: evaluation.step.transitions.map((each) => ({ ...each })),
      notices: evaluation.step.notices.map((each) => ({ ...each })),
      user_id: alert.user_id,
      observation: evaluation.observation
        ? storeObservation(evaluation.observation, alert, evaluation.answer)
        : null,
    })),
    transaction,
  );
  const changes = made.map(({ alert, evaluation: { step: moved, outcome, reason } }) => ({
    id: alert.id,
    schedule_id: alert.schedule_id,
    instances: [...moved.state],
    status: statusOf(moved.state),
    is_stopped: outcome === "skipped",
    reason: reason ?? null,
  }));
  await transaction.raw(changeStatement, { at: completedAt, changes: JSON.stringify(changes) });
  return made.map(({ alert, evaluation }, index) => ({
    alert,
    evaluation,
    alertEventId: events[index]!.id,
  }));
}

/**
 * Locks the alerts in a fixed order, so that hosts that evaluate the same slots wait for each other instead of
 * deadlocking.
 */
async function lockAlerts(
  slots: readonly EvaluatedSlot[],
  transaction: Knex.Transaction,
): Promise<ReadonlyMap<string, Locked>> {
  const ids = arrayBinding(slots.map(({ alert }) => alert.id));
  const locked = await transaction("alert")
    .select("id", "status", "instances")
    .whereRaw("id = any(?::uuid[])", [ids])
    .orderBy("id")
    .forUpdate();
  // This is a separate statement, so that it sees what others committed before the locks were acquired.
  const { rows }: { rows: { alert_id: string; newest: Date; recorded: Date[] | null }[] } =
    await transaction.raw(
      `select a.id as alert_id,
              (select max(e.slot_at) from alertevent e where e.alert_id = a.id) as newest,
              (select array_agg(e.slot_at) from alertevent e where e.alert_id = a.id and e.slot_at = a.slot_at) as recorded
         from unnest(?::uuid[], ?::timestamptz[]) as a (id, slot_at)`,
      [ids, arrayBinding(slots.map(({ slotMs }) => new Date(slotMs).toISOString()))],
    );
  const rowByAlert = new Map(rows.map((row) => [row.alert_id, row]));
  return new Map(
    locked.map((row): [string, Locked] => {
      const slot = rowByAlert.get(row.id);
      const recorded = (slot?.recorded ?? []).map((at) => at.getTime());
      return [row.id, { ...row, newest: slot?.newest ?? null, recorded }];
    }),
  );
}

const changeStatement = `
  with change as (
    select * from jsonb_to_recordset(:changes::jsonb)
      as c (id uuid, schedule_id uuid, instances jsonb, status text, is_stopped boolean, reason text)
  ), changed as (
    update alert a
       set instances = c.instances, status = c.status, evaluated_at = :at, updated_at = :at,
           stopped_reason = case when c.is_stopped then c.reason end
      from change c where a.id = c.id
  )
  update schedule s
     set completed_at = :at, updated_at = :at,
         active = s.active and not c.is_stopped,
         scheduled_at = case when c.is_stopped then null else s.scheduled_at end
    from (select schedule_id,
                 bool_and(is_stopped)
                   and count(*) = (select count(*) from alert o where o.schedule_id = change.schedule_id) as is_stopped
            from change group by schedule_id) c
   where s.id = c.schedule_id`;
