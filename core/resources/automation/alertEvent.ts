import Type from "typebox";
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

/** A user who takes over an alert cannot read the events that ran with its former user's rights. */
const allowEvaluatedAs: Allow = (query, alias, right, principal, under) => {
  query.where(`${alias}.user_id`, principal.userId);
  allowThrough(() => alert, "alert_id")(query, alias, right, principal, under);
};

const entries = () =>
  list(Type.Record(Type.String(), Type.Unknown()), "a list of objects", {
    nullable: false,
    default: () => [],
  });

const fields = {
  ...identity,
  alert_id: uuid({ nullable: false }),
  slot_at: instant({ nullable: false }),
  started_at: instant({ nullable: false }),
  completed_at: instant({ nullable: false }),
  outcome: text({ nullable: false }),
  reason: text(),
  rows: number(),
  status_before: text({ nullable: false }),
  status_after: text({ nullable: false }),
  transitions: entries(),
  notices: entries(),
  /** The user with whose rights the query ran. */
  user_id: uuid({ nullable: false }),
  /** The keys that matched, for replaying the evaluation with another rule. */
  observation: { ...sealedObject(), hidden: true },
  ...timestamps,
};

/**
 * One evaluation of an alert: its due time, its start, its outcome, and the alert's states before and after it. The
 * host writes at most one evaluation per slot. The alert's user can read it if the query ran with that user's rights.
 */
export const alertEvent: Declaration<typeof fields> = {
  name: "alertevent",
  actions: ["get"],
  fields,
  allow: allowEvaluatedAs,
  associations: {
    Alert: { kind: "one", resource: "alert", key: "alert_id" },
    Deliveries: { kind: "many", resource: "delivery", key: "alertevent_id" },
  },
};
