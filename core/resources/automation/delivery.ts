import { allowAny, allowThrough } from "../rights/allow.ts";
import {
  type Allow,
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
import { exportEvent } from "./exportEvent.ts";

const fields = {
  ...identity,
  /** The evaluation that the message reports. */
  alertevent_id: uuid(),
  /** The export that the message contains. */
  exportevent_id: uuid(),
  /** Null for a message to the user's own address. */
  channel_id: uuid(),
  user_id: uuid(),
  /** The kind of message: `alert`, `export`, or `channel` for a message about a channel that does not work. */
  kind: text({ nullable: false, default: "alert" }),
  /** The id of the digest that reports this evaluation together with others; null for a separate message. */
  digest_id: uuid(),
  /** The recipient's address or number, for channels with recipients. */
  recipient: text(),
  /**
   * The outcome: `waiting`; `delivered`; `accepted` by a service that reports nothing further; `unsubscribed` by the
   * recipient; or `failed` after the last attempt.
   */
  outcome: text({ nullable: false, default: "waiting" }),
  attempts: number({ nullable: false, default: 0 }),
  problem: text(),
  message: { ...sealedObject(), hidden: true },
  next_attempt_at: instant(),
  completed_at: instant(),
  ...timestamps,
};

/** Allows the owner of a channel to read messages about that channel. */
const allowAboutChannel: Allow = (query, alias, _right, { userId }) => {
  query
    .whereNull(`${alias}.alertevent_id`)
    .whereNull(`${alias}.exportevent_id`)
    .where((own) => {
      own
        .where(`${alias}.user_id`, userId)
        .orWhereRaw(
          "exists (select 1 from channel o where o.id = ??.channel_id and o.user_id = ?)",
          [alias, userId],
        );
    });
};

/**
 * One message about an alert or an export to one recipient, with its attempts. Its id is sent as the message id with
 * every attempt; a digest has an id of its own. The host writes it, and users who may read the reported event can read
 * it.
 */
export const delivery: Declaration<typeof fields> = {
  name: "delivery",
  actions: ["get"],
  fields,
  allow: allowAny(
    allowThrough(() => alertEvent, "alertevent_id"),
    allowThrough(() => exportEvent, "exportevent_id"),
    allowAboutChannel,
  ),
  associations: {
    Alertevent: { kind: "one", resource: "alertevent", key: "alertevent_id" },
    Exportevent: { kind: "one", resource: "exportevent", key: "exportevent_id" },
    Channel: { kind: "one", resource: "channel", key: "channel_id" },
  },
};
