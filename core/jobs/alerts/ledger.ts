import type { Knex } from "knex";
import type { Records, ResourceRow } from "../../contracts/index.ts";
import type { QueryAnswer } from "../../queries/index.ts";
import { storeObservation } from "./observe.ts";
import {
  type AlertState,
  type AlertStatus,
  alertStatuses,
  type InstanceState,
  type Observation,
  type Step,
} from "./step.ts";

/** The end of one evaluation. `skipped`: nobody could be asked as, so the alert stops. */
export type Outcome = "answered" | "failed" | "skipped";

/** One evaluation as the ledger keeps it. */
export interface Evaluation {
  readonly slotMs: number;
  readonly startedMs: number;
  readonly outcome: Outcome;
  /** Why it failed or was skipped. */
  readonly reason?: string;
  /** Rows of the answer. */
  readonly rows?: number;
  readonly answer?: QueryAnswer;
  readonly observation?: Observation;
  readonly step: Step;
}

/** The state of an alert as its record keeps it. */
export function stateOf({ instances }: Pick<ResourceRow<"alert">, "instances">): AlertState {
  return new Map(instances as [string, InstanceState][]);
}

/** The status of an alert: the worst of its instances. */
function statusOf(state: AlertState): AlertStatus {
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

/**
 * Records an evaluation and the state after it, in the caller's transaction. Returns the id of the record; undefined,
 * and changes nothing, when the slot was recorded before.
 */
export async function record(
  records: Records,
  alert: ResourceRow<"alert">,
  { slotMs, startedMs, outcome, reason, rows, observation, step }: Evaluation,
  transaction: Knex.Transaction,
): Promise<string | undefined> {
  const slot = { alert_id: alert.id, slot_at: new Date(slotMs) };
  // The row's lock: two hosts that evaluate one slot follow each other here.
  await transaction("alert").where({ id: alert.id }).forUpdate().first("id");
  if (await transaction("alertevent").where(slot).first("id")) return undefined;
  const completedAt = new Date();
  const event = await records.insert(
    "alertevent",
    {
      ...slot,
      started_at: new Date(startedMs),
      completed_at: completedAt,
      outcome,
      reason: reason ?? null,
      rows: rows ?? null,
      status_before: alert.status,
      status_after: statusOf(step.state),
      transitions: step.transitions.map((each) => ({ ...each })),
      notices: step.notices.map((each) => ({ ...each })),
      user_id: alert.user_id,
      observation: observation ? storeObservation(observation) : null,
    },
    transaction,
  );
  await records.change(
    "alert",
    alert.id,
    {
      instances: [...step.state],
      status: statusOf(step.state),
      evaluated_at: completedAt,
      ...(outcome === "skipped" && { stopped_reason: reason ?? null }),
    },
    transaction,
  );
  if (alert.schedule_id !== null)
    await records.change(
      "schedule",
      alert.schedule_id,
      {
        completed_at: completedAt,
        ...(outcome === "skipped" && { active: false, scheduled_at: null }),
      },
      transaction,
    );
  return event.id;
}
