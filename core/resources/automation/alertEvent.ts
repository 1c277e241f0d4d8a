import Type from "typebox";
import { allowThrough } from "../rights/allow.ts";
import {
  type Declaration,
  identity,
  instant,
  list,
  number,
  text,
  timestamps,
  uuid,
} from "../kernel/index.ts";
import { alert } from "./alert.ts";

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
  ...timestamps,
};

/**
 * One evaluation of an alert: when it was due and when it ran, its outcome, and the states of the alert before and
 * after it. Written by the host, at most one for each slot; read by whoever may read the alert.
 */
export const alertEvent: Declaration<typeof fields> = {
  name: "alertevent",
  actions: ["get"],
  fields,
  allow: allowThrough(() => alert, "alert_id"),
  associations: {
    Alert: { kind: "one", resource: "alert", key: "alert_id" },
  },
};
