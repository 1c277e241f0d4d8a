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

/** A user who takes over a schedule cannot read the exports that ran with the former user's rights. */
const allowSentAs: Allow = (query, alias, right, principal, under) => {
  query.where(`${alias}.user_id`, principal.userId);
  allowThrough(() => schedule, "schedule_id")(query, alias, right, principal, under);
};

const fields = {
  ...identity,
  schedule_id: uuid({ description: "The schedule that ran.", nullable: false }),
  slot_at: instant({ description: "The instant at which the run was due.", nullable: false }),
  started_at: instant({ description: "When the run began.", nullable: false }),
  completed_at: instant({ description: "When the run ended.", nullable: false }),
  /**
   * The outcome: `sent`; `empty` if there were too few rows to send; `failed` if nothing could be rendered; `skipped`
   * if there is no user with whose rights the export may run.
   */
  outcome: text({ description: "How the run ended.", nullable: false }),
  /** Why the export failed, was skipped or was not sent, or which items could not be rendered. */
  reason: text({
    description: "Why the run failed, was skipped or sent nothing. Null if it succeeded.",
  }),
  /** The format of the first file: `pdf`, `png`, `csv` or `xlsx`. */
  type: text({ description: "Format of the exported file, or of the first of several files." }),
  size_bytes: number({ description: "Size of all exported files in bytes." }),
  /** The user with whose rights the export was rendered. */
  user_id: uuid({ description: "The user with whose rights the export ran.", nullable: false }),
  /** The exported file, kept as long as messages may contain it. */
  content: sealedObject({ hidden: true }),
  ...timestamps,
};

/**
 * One slot of a schedule that sends a dashboard. The host writes at most one event per slot, and the deliveries of the
 * file refer to the event. The user with whose rights the file was rendered can read the event.
 */
export const exportEvent: Declaration<typeof fields> = {
  name: "exportevent",
  description: "One run of a schedule that sends a dashboard, with its outcome.",
  rights:
    "The schedule's user can read runs with their own rights, but not those of a former user of the schedule.",
  actions: ["get"],
  fields,
  allow: allowSentAs,
  associations: {
    Schedule: { kind: "one", resource: "schedule", key: "schedule_id" },
  },
};
