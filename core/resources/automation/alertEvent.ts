import Type from "typebox";
import { reference } from "../../base/index.ts";
import { allowThrough } from "../rights/allow.ts";
import {
  type Allow,
  type Declaration,
  identity,
  instant,
  list,
  number,
  sealedObject,
  text,
  timestamps,
  uuid,
} from "../kernel/index.ts";
import { alert } from "./alert.ts";

/** A user who takes over an alert cannot read the events of evaluations that ran with the former user's rights. */
const allowEvaluatedAs: Allow = (query, alias, right, principal, under) => {
  query.where(`${alias}.user_id`, principal.userId);
  allowThrough(() => alert, "alert_id")(query, alias, right, principal, under);
};

const entries = (name: string, description: string) =>
  list(Type.Record(Type.String(), Type.Unknown()), "a list of objects", {
    description,
    nullable: false,
    default: () => [],
    described: { given: Type.Array(reference(name)) },
  });

const fields = {
  ...identity,
  alert_id: uuid({ description: "The alert that was evaluated.", nullable: false }),
  slot_at: instant({
    description: "The instant at which the evaluation was due.",
    nullable: false,
  }),
  started_at: instant({ description: "When the evaluation began.", nullable: false }),
  completed_at: instant({ description: "When the evaluation ended.", nullable: false }),
  outcome: text({ description: "How the evaluation ended.", nullable: false }),
  reason: text({ description: "Why the evaluation failed or was skipped. Null if it succeeded." }),
  rows: number({ description: "Number of rows in the answer." }),
  status_before: text({
    description: "State of the alert before the evaluation.",
    nullable: false,
  }),
  status_after: text({ description: "State of the alert after the evaluation.", nullable: false }),
  transitions: entries("AlertTransition", "Changes of state, one per watched value."),
  notices: entries("AlertNotice", "Messages that the evaluation caused."),
  /** The user with whose rights the query ran. */
  user_id: uuid({ description: "The user with whose rights the query ran.", nullable: false }),
  /** The keys that matched, for replaying the evaluation with another rule. */
  observation: sealedObject({ hidden: true }),
  ...timestamps,
};

/**
 * One evaluation of an alert: its due time, its start, its outcome, and the alert's states before and after it. The
 * host writes at most one evaluation per slot. The alert's user can read it if the query ran with that user's rights.
 */
export const alertEvent: Declaration<typeof fields> = {
  name: "alertevent",
  description:
    "One evaluation of an alert: its outcome, the status before and after it, and the messages that it caused.",
  rights:
    "The alert's user can read the events of evaluations with their own rights, but not those of a former user of the alert.",
  actions: ["get"],
  fields,
  allow: allowEvaluatedAs,
  associations: {
    Alert: { kind: "one", resource: "alert", key: "alert_id" },
    Deliveries: { kind: "many", resource: "delivery", key: "alertevent_id" },
  },
};
