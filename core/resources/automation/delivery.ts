import { allowThrough } from "../rights/allow.ts";
import {
  type Declaration,
  identity,
  instant,
  number,
  sealedObject,
  text,
  timestamps,
  uuid,
} from "../kernel/index.ts";
import { alertEvent } from "./alertEvent.ts";

const fields = {
  ...identity,
  alertevent_id: uuid({ nullable: false }),
  channel_id: uuid({ nullable: false }),
  /** `waiting`, `delivered`, `accepted` by a service that does not say more, or `failed` for good. */
  outcome: text({ nullable: false, default: "waiting" }),
  attempts: number({ nullable: false, default: 0 }),
  problem: text(),
  message: { ...sealedObject(), hidden: true },
  completed_at: instant(),
  ...timestamps,
};

/**
 * One message of an alert to one channel, with its attempts. Its id is the id of the message on the wire, the same over
 * all attempts. Written by the host; read by whoever may read the alert.
 */
export const delivery: Declaration<typeof fields> = {
  name: "delivery",
  actions: ["get"],
  fields,
  allow: allowThrough(() => alertEvent, "alertevent_id"),
  associations: {
    Alertevent: { kind: "one", resource: "alertevent", key: "alertevent_id" },
    Channel: { kind: "one", resource: "channel", key: "channel_id" },
  },
};
