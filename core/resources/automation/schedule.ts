import { lacks, refuseWithout } from "../../identity/index.ts";
import { ApiError, reference, type ResourceRow } from "../../base/index.ts";
import { allowAny, allowOwner, allowThrough } from "../rights/allow.ts";
import { scheduleChannel } from "../rights/links.ts";
import {
  type Declaration,
  type HookCall,
  type Values,
  choice,
  flag,
  identity,
  instant,
  number,
  object,
  settable,
  text,
  timeZone,
  timestamps,
  uuid,
} from "../kernel/index.ts";
import { accelerationTask } from "../securables/startAcceleration.ts";
import { securable } from "../securables/securable.ts";
import { confirmUser, expectOwnExport } from "./confirmUser.ts";
import { dueAfter } from "./dueAfter.ts";
import { exportFormProblem } from "./exportForm.ts";
import { mostUnits } from "./frequency.ts";
import { alertTask } from "./makeSchedule.ts";
import { recurrenceUnits } from "./nextDue.ts";
import { atTimeOfDay, isTimeOfDay } from "./timeOfDay.ts";

const wholeNumber = (of: string) => (value: unknown) =>
  Number.isInteger(value) && Number(value) > 0 && Number(value) <= mostUnits
    ? undefined
    : `be a whole number of ${of} from 1 to ${mostUnits}`;

/**
 * Refuses a new schedule that has only one of unit and quantity. Updates may set them one after the other.
 * @throws {ApiError} MEMBER_MISSING
 */
function checkPair(values: Values): void {
  const members = ["frequency_unit", "frequency_quantity"];
  const missing = members.filter((member) => (values[member] ?? null) === null);
  const [member] = missing;
  if (missing.length !== 1 || member === undefined) return;
  const problem = "frequency_unit and frequency_quantity must be sent together";
  throw new ApiError("MEMBER_MISSING", [`properties.${member}`, problem], {
    validation: { [member]: [problem] },
  });
}

/**
 * Refuses callers whose token may not export.
 * @throws {ApiError} FORBIDDEN
 */
const refuseExports = ({ principal }: HookCall, what: string): void =>
  refuseWithout("flag_export", principal, what);

async function sendsDashboard(
  { securable_id: id }: ResourceRow<"schedule">,
  { context, principal }: HookCall,
): Promise<boolean> {
  if (id === null || !lacks(principal, "flag_export")) return false;
  const [sent] = await context.records.find("securable", { id });
  return sent?.type === "dashboard";
}

interface Anchored {
  readonly time_of_day?: string | null | undefined;
  readonly timezone?: string | null | undefined;
}

/** Returns the instant from which the slots of a schedule are counted, at its time of day if it has one. */
const anchorOf = ({ time_of_day: time, timezone }: Anchored, startedAt: Date): Date =>
  time ? atTimeOfDay(startedAt, time, timezone ?? "UTC") : startedAt;

const fields = {
  ...identity,
  frequency_quantity: number({
    description: "How many units lie between two runs.",
    ...settable,
    check: wholeNumber("units"),
  }),
  frequency_unit: choice(recurrenceUnits, {
    ...settable,
    description: "Unit of the interval between two runs.",
  }),
  frequency: number({
    description: "Interval between two runs in minutes, as older clients send it.",
    ...settable,
    check: wholeNumber("minutes"),
  }),
  timezone: timeZone({ ...settable, description: "Time zone in which the runs are scheduled." }),
  time_of_day: text({
    description:
      "Local time in `timezone` at which the first run of a day is due, such as `07:30`. It moves `started_at`. Null: the time of `started_at`.",
    ...settable,
    check: (value) => (isTimeOfDay(value) ? undefined : "be a time in 24 hours such as 07:30"),
  }),
  active: flag({
    description: "Whether the schedule runs.",
    ...settable,
    nullable: false,
    default: true,
  }),
  task: text({ ...settable, description: "What the schedule does." }),
  /** The options of the file that an export sends; null for a PDF in light colours. */
  export: object({
    description: "The export that the schedule sends: its content, file format and recipients.",
    ...settable,
    check: exportFormProblem,
    described: { given: reference("ExportForm") },
  }),
  retries: number({
    description: "How many times the host repeats a failed run.",
    ...settable,
    nullable: false,
    default: 0,
    check: (value) =>
      Number.isInteger(value) && Number(value) >= 0 ? undefined : "be a whole number of 0 or more",
  }),
  started_at: instant({ ...settable, description: "The instant from which runs are counted." }),
  completed_at: instant({ description: "When the last run ended." }),
  scheduled_at: instant({ description: "When the next run is due." }),
  /** Why the last run of the schedule failed; null if it succeeded. */
  failure: text({ description: "Why the last run failed. Null if it succeeded." }),
  securable_id: uuid({ description: "The dataset or dashboard of the schedule." }),
  user_id: uuid({ description: "The user with whose rights the schedule runs.", nullable: false }),
  /**
   * The user who confirmed the schedule. Exports run with the rights of the schedule's user only if that user confirmed
   * it.
   */
  confirmed_by: uuid({ hidden: true }),
  ...timestamps,
};

/** A recurring task: synchronizing a dataset, exporting a dashboard or evaluating an alert. */
export const schedule: Declaration<typeof fields> = {
  name: "schedule",
  description: "A rule that says when the host sends a dashboard to channels, or evaluates alerts.",
  rights: "Its user has all rights. A caller has the same rights as on the schedule's dashboard.",
  actions: ["create", "get", "update", "delete", "associate", "dissociate", "validate"],
  ownedBy: "user_id",
  ownedIf: `coalesce(task, '') not in ('${alertTask}', '${accelerationTask}')`,
  fields,
  allow: allowAny(
    allowOwner("user_id"),
    allowThrough(() => securable, "securable_id"),
  ),
  associations: {
    Securable: {
      kind: "one",
      resource: "securable",
      key: "securable_id",
      isPart: true,
      roles: ["modify", "modify"],
    },
    Alerts: { kind: "many", resource: "alert", key: "schedule_id", roles: ["modify", "own"] },
    // `expectOwnExport` checks who may link channels.
    Channels: {
      kind: "through",
      resource: "channel",
      link: scheduleChannel,
      ownKey: "schedule_id",
      otherKey: "channel_id",
      roles: ["own", "use"],
    },
    User: { kind: "one", resource: "user", key: "user_id", roles: ["own", "organizationEditor"] },
  },
  hooks: {
    async onValidate(values, _call, row) {
      if (!row) checkPair(values);
      return {};
    },
    async beforeCreate(values, call) {
      const { principal } = call;
      checkPair(values);
      if (values.export) refuseExports(call, "set export");
      const now = new Date();
      const anchored = { ...values, started_at: anchorOf(values, values.started_at ?? now) };
      return {
        ...anchored,
        scheduled_at: dueAfter(anchored, now.getTime()),
        user_id: principal.userId,
        confirmed_by: principal.userId,
      };
    },
    async beforeLink(change, call) {
      if (change.link === scheduleChannel) refuseExports(call, `${change.action} Channels`);
      await expectOwnExport(change, call);
    },
    async beforeKey(change, call, transaction) {
      const { action, key, target } = change;
      if (action === "associate" && key === "securable_id" && target["type"] === "dashboard")
        refuseExports(call, "send a dashboard on a schedule");
      return confirmUser(change, call, transaction);
    },
    async beforeUpdate(row, values, call) {
      if (values.export || (await sendsDashboard(row, call)))
        refuseExports(call, "change when and how a dashboard is sent");
      const whole = { ...row, ...values };
      const anchor = whole.started_at ?? row.created_at;
      const moved = {
        ...values,
        ...(whole.time_of_day && { started_at: anchorOf(whole, anchor) }),
      };
      return { ...moved, scheduled_at: dueAfter({ ...row, ...moved }, Date.now()) };
    },
  },
};
