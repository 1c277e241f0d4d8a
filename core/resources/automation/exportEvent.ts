import { allowThrough } from "../rights/allow.ts";
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
import { schedule } from "./schedule.ts";

/** A user who takes over a schedule cannot read the exports that ran with its former user's rights. */
const allowSentAs: Allow = (query, alias, right, principal, under) => {
  query.where(`${alias}.user_id`, principal.userId);
  allowThrough(() => schedule, "schedule_id")(query, alias, right, principal, under);
};

const fields = {
  ...identity,
  schedule_id: uuid({ nullable: false }),
  slot_at: instant({ nullable: false }),
  started_at: instant({ nullable: false }),
  completed_at: instant({ nullable: false }),
  /**
   * The outcome: `sent`; `failed` if nothing could be rendered; `skipped` if there is no user with whose rights the
   * export may run.
   */
  outcome: text({ nullable: false }),
  /** Why the export failed or was skipped, or which items of the dashboard could not be rendered. */
  reason: text(),
  /** The file format: `pdf` or `png`. */
  type: text(),
  size_bytes: number(),
  /** The user with whose rights the export was rendered. */
  user_id: uuid({ nullable: false }),
  /** The exported file, kept as long as messages may contain it. */
  content: { ...sealedObject(), hidden: true },
  ...timestamps,
};

/**
 * One slot of a schedule that sends a dashboard. The host writes at most one event per slot, and the deliveries of the
 * file refer to the event. The user with whose rights the file was rendered can read the event.
 */
export const exportEvent: Declaration<typeof fields> = {
  name: "exportevent",
  actions: ["get"],
  fields,
  allow: allowSentAs,
  associations: {
    Schedule: { kind: "one", resource: "schedule", key: "schedule_id" },
  },
};
