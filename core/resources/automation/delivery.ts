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
  alertevent_id: uuid({ description: "The evaluation that caused the message." }),
  /** The export that the message contains. */
  exportevent_id: uuid({ description: "The export that the message contains." }),
  /** Id of the channel; null for a message to the user's own address. */
  channel_id: uuid({ description: "The channel that sends the message." }),
  user_id: uuid({ description: "The user who owns the channel." }),
  /** The kind of message: `alert`, `export`, or `channel` for a message about a channel that does not work. */
  kind: text({ description: "What the message is about.", nullable: false, default: "alert" }),
  /** The id of the digest that reports this evaluation together with others; null for a separate message. */
  digest_id: uuid({
    description: "The digest that contains the message, if the host combined several messages.",
  }),
  /** The recipient's address or number, for channels with recipients. */
  recipient: text({ description: "The address that receives the message." }),
  /**
   * The outcome: `waiting`, `delivered`, `accepted` (the service does not report the delivery), `unsubscribed` (the
   * recipient wants no messages) or `failed` (after the last attempt).
   */
  outcome: text({
    description: "Whether the message was sent.",
    nullable: false,
    default: "waiting",
  }),
  attempts: number({ description: "How many attempts were made.", nullable: false, default: 0 }),
  problem: text({ description: "Why the last attempt failed. Null if it succeeded." }),
  message: sealedObject({ hidden: true }),
  next_attempt_at: instant({ description: "When the next attempt is due." }),
  completed_at: instant({ description: "When the host sent the message, or stopped trying." }),
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
 * One message about an alert or an export to one recipient, with its attempts. Every attempt sends the id of the
 * delivery as the message id; a digest has an id of its own. The host writes deliveries, and users who may read the
 * reported event can read them.
 */
export const delivery: Declaration<typeof fields> = {
  name: "delivery",
  description: "A message to a channel, with its attempts and its outcome.",
  rights:
    "The user of the alert or the schedule that caused a message can read it and send it again. For any other message, such as a test, these are its sender and the channel's owner.",
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
