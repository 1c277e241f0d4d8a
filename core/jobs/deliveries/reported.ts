import type { ResourceRow } from "../../base/index.ts";
import type { Evaluation } from "../alerts/ledger.ts";
import type { Step } from "../alerts/step.ts";

/** The parts of an alert and its evaluation that a message shows. */
export type ReportedAlert = Pick<
  ResourceRow<"alert">,
  | "id"
  | "name"
  | "query"
  | "instance_by"
  | "notify"
  | "schedule_id"
  | "securable_id"
  | "dashboard_state"
  | "timezone_id"
  | "user_id"
>;

export type ReportedEvaluation = Pick<Evaluation, "slotMs" | "answer" | "values"> & {
  readonly step: Pick<Step, "notices"> & Partial<Pick<Step, "state" | "transitions">>;
};
