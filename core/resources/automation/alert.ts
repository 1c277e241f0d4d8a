import type { Knex } from "knex";
import Type from "typebox";
import {
  ApiError,
  isObject,
  type Members,
  type Records,
  reference,
  type ResourceRow,
} from "../../base/index.ts";
import { allowOwner } from "../rights/allow.ts";
import { inOrganizationOfUser } from "../rights/allowUser.ts";
import { linkChannels, refuseChannelAddress } from "./channel.ts";
import { checkChannelConfig } from "./channelConfig.ts";
import { parseFrequency } from "./frequency.ts";
import { recurrenceUnits } from "./nextDue.ts";
import {
  type Declaration,
  type HookCall,
  type Values,
  type ValuesOf,
  accept,
  flag,
  identity,
  instant,
  limits,
  list,
  object,
  sealedObject,
  settable,
  text,
  timeZone,
  timestamps,
  title,
  uuid,
} from "../kernel/index.ts";
import { alertChannel } from "../rights/links.ts";
import { ruleFields } from "./alertRule.ts";
import { checkAlertQueries, checkInstances } from "./checkAlertQueries.ts";
import { dashboardStateProblem } from "./dashboardStateProblem.ts";
import { dueAfter } from "./dueAfter.ts";
import { alertTask, makeSchedule } from "./makeSchedule.ts";
import { withSecret } from "./signingSecret.ts";
import { takeOver } from "./takeOver.ts";
import { atTimeOfDay, isTimeOfDay } from "./timeOfDay.ts";

/**
 * Returns a warning about a query that always returns a row: without dimensions and `having`, it returns its totals,
 * even if no row passes `where`. An alert with this query would always fire.
 */
function warningsOf({ query }: Values): Values {
  if (!isObject<"dimensions" | "having">(query)) return {};
  const isEmpty = (value: unknown) => value == null || (Array.isArray(value) && value.length === 0);
  if (!isEmpty(query.dimensions) || !isEmpty(query.having)) return {};
  return {
    warnings: [
      "query always returns one row, so the alert always fires; add a condition in having, or dimensions",
    ],
  };
}

const warned = {
  warnings: Type.Array(Type.String(), { description: "Why the alert would always fire." }),
};

const frequency = {
  ...object({
    description: "How often the alert is evaluated.",
    ...settable,
    required: true,
    nullable: false,
  }),
  schema: Type.Union([Type.String(), Type.Record(Type.String(), Type.Unknown())]),
  expects: "{unit, quantity}",
  check: (value: unknown) =>
    parseFrequency(value)
      ? undefined
      : `be {unit: one of ${recurrenceUnits.join(", ")}, quantity: a whole number of at least 1}, or a string such as daily, week or 2 weeks`,
  convert: parseFrequency,
  described: {
    given: Type.Union([
      Type.String({ description: "A frequency in words, such as daily or 2 weeks." }),
      reference("Frequency"),
    ]),
    shown: reference("Frequency"),
  },
};

type ChannelValues = Members<"type" | "config">;

/**
 * Checks the properties of the channels that are created together with an alert, and returns the accepted values.
 * @throws {ApiError} the errors of creating each channel
 */
function acceptChannels(
  values: Pick<ValuesOf<typeof inputs>, "channels">,
  { context }: HookCall,
): readonly Values[] {
  const channel = context.declarations.get("channel");
  if (!channel) throw new TypeError("there is no resource channel");
  const given = values.channels ?? [];
  if (given.length > limits.associationCount)
    throw new ApiError("MEMBER_INVALID", [
      "properties.channels",
      `must have at most ${limits.associationCount} entries`,
    ]);
  return given.map((each, index) => {
    const path = `properties.channels[${index}]`;
    const accepted: ChannelValues = acceptPart(channel, each, path);
    checkChannelConfig(accepted.type, accepted.config, path);
    return accepted;
  });
}

/**
 * Refuses new channels with an address that this host may not reach.
 * @throws {ApiError} MEMBER_INVALID
 */
async function refuseChannelAddresses(
  values: Pick<ValuesOf<typeof inputs>, "channels">,
  call: HookCall,
): Promise<void> {
  for (const [index, { config }] of acceptChannels(values, call).entries())
    await refuseChannelAddress(config, call, `properties.channels[${index}]`);
}

function acceptPart(declaration: Declaration, properties: Values, path: string): Values {
  try {
    return accept(declaration, "create", properties);
  } catch (failure) {
    if (!(failure instanceof ApiError) || !failure.validation) throw failure;
    const [[member, problems] = ["", []]] = Object.entries(failure.validation);
    throw new ApiError("MEMBER_INVALID", [`${path}.${member}`, problems.join("; ")], {
      validation: { channels: [`${member} ${problems.join("; ")}`] },
    });
  }
}

/**
 * Checks that a new state has a dashboard. An update that does not set the state is not checked, because the dashboard
 * may have been deleted.
 * @throws {ApiError} MEMBER_INVALID
 */
function checkDashboard(
  { dashboard_state: state }: Pick<ValuesOf<typeof fields>, "dashboard_state">,
  securableId: string | null | undefined,
): void {
  if ((state ?? null) === null || (securableId ?? null) !== null) return;
  const problem = "needs securable_id, the dashboard whose state it is";
  throw new ApiError("MEMBER_INVALID", ["properties.dashboard_state", problem], {
    validation: { dashboard_state: [problem] },
  });
}

const checkOf = ({ context: { records, connections }, principal }: HookCall) => ({
  records,
  connections,
  principal,
});

/** Removes the schedule that was created for an alert, unless it also evaluates another alert. */
async function leaveSchedule(
  { id, schedule_id }: Pick<ResourceRow<"alert">, "id" | "schedule_id">,
  records: Records,
  transaction: Knex.Transaction,
): Promise<void> {
  if (schedule_id === null) return;
  const [schedule] = await records.find("schedule", { id: schedule_id }, transaction);
  const alerts = await records.find("alert", { schedule_id }, transaction);
  if (schedule?.task === alertTask && alerts.every((each) => each.id === id))
    await records.remove("schedule", [schedule.id], transaction);
}

async function timezoneOf(
  userId: string,
  { context }: HookCall,
  transaction: Knex.Transaction,
): Promise<string | null | undefined> {
  const [user] = await context.records.find("user", { id: userId }, transaction);
  return user?.timezone_id;
}

const fields = {
  ...identity,
  name: title({ description: "Name of the alert.", ...settable, required: true, nullable: false }),
  query: object({
    description: "The query that the alert evaluates. The alert triggers if the answer has rows.",
    ...settable,
    required: true,
    nullable: false,
    described: { given: reference("Query") },
  }),
  chart_id: uuid({ ...settable, description: "The chart from which the alert was created." }),
  frequency,
  timezone_id: timeZone({
    ...settable,
    description: "Time zone in which the evaluations are scheduled.",
  }),
  time_of_day: text({
    description:
      "Local time in `timezone_id` from which evaluations are counted, such as `07:30`. Null: the time at which the alert was created.",
    ...settable,
    check: (value) => (isTimeOfDay(value) ? undefined : "be a time in 24 hours such as 07:30"),
  }),
  securable_id: uuid({
    description: "The dashboard from which the alert was created.",
    ...settable,
    refersTo: ["securable", "read"],
  }),
  dashboard_state: object({
    ...settable,
    description:
      "What the reader had chosen in the dashboard of `securable_id` when the alert was created, as the property `state` of the component `<manifold-dashboard>` returns it; at most 1,800 characters as the query of an address. Links in messages open the dashboard with those of these choices that the filters of `query` contain.",
    check: dashboardStateProblem,
  }),
  schedule_id: uuid({ description: "The schedule of the alert." }),
  user_id: uuid({ description: "The user with whose rights the query runs.", nullable: false }),
  ...ruleFields,
  status: text({
    description: "State of the alert at its last evaluation.",
    nullable: false,
    default: "ok",
  }),
  /** The reason why the alert is no longer evaluated. */
  stopped_reason: text({
    description: "Why the host no longer evaluates the alert. Null while the host evaluates it.",
  }),
  evaluated_at: instant({ description: "When the alert was last evaluated." }),
  /** The states of the alert's instances by key. */
  instances: {
    ...list(Type.Unknown(), "a list", { nullable: false, default: () => [], hidden: true }),
  },
  /** Whether an embed token created the alert. If so, the alert runs with the newest token of its user. */
  is_of_token: flag({ nullable: false, default: false, hidden: true }),
  /** Parameter overrides as of the alert's creation. Scheduled runs use them. */
  sticky_parameters: sealedObject({ hidden: true }),
  ...timestamps,
};

const inputs = {
  channels: list(Type.Record(Type.String(), Type.Unknown()), "a list of {name, type, config}", {
    description: "Channels that are created together with the alert.",
    on: ["create"],
    described: { given: Type.Array(reference("NewChannel")) },
  }),
};

/** A stored query that notifies its user when the query returns rows. It runs with the rights of its user. */
export const alert: Declaration<typeof fields, typeof inputs> = {
  name: "alert",
  description:
    "A query that the host evaluates regularly. If its answer has rows, the alert triggers, and the host sends messages to channels.",
  rights: "The alert's user has all rights. Nobody else can see it.",
  actions: ["create", "get", "update", "delete", "associate", "dissociate", "validate"],
  roles: { update: "own" },
  ownedBy: "user_id",
  goesWithOwner: true,
  fields,
  inputs,
  allow: allowOwner("user_id"),
  inOrganization(query, alias, principal) {
    query.whereExists((one) => {
      one
        .select("u.id")
        .from("user as u")
        .whereRaw("u.id = ??.user_id", [alias])
        .where((users) => inOrganizationOfUser(users, "u", principal));
    });
  },
  associations: {
    Schedule: { kind: "one", resource: "schedule", key: "schedule_id", roles: ["own", "modify"] },
    Securable: { kind: "one", resource: "securable", key: "securable_id", roles: ["own", "read"] },
    Channels: {
      kind: "through",
      resource: "channel",
      link: alertChannel,
      ownKey: "alert_id",
      otherKey: "channel_id",
      roles: ["own", "use"],
    },
    // `takeOver` checks who may change the user.
    User: {
      kind: "one",
      resource: "user",
      key: "user_id",
      roles: ["organizationMember", "organizationMember"],
    },
  },
  hooks: {
    async onValidate(values, call, row) {
      await checkAlertQueries(values, checkOf(call));
      const whole = { ...row, ...values };
      checkDashboard(values, whole.securable_id);
      if (whole.query !== undefined) checkInstances(whole);
      await refuseChannelAddresses(values, call);
      return warningsOf(values);
    },
    async beforeKey(change, call, transaction) {
      const { action, key, holder, target } = change;
      if (key !== "schedule_id" || action !== "associate" || holder.schedule_id === target.id)
        return takeOver(change, call, transaction);
      const { id, schedule_id } = holder;
      await leaveSchedule({ id, schedule_id }, call.context.records, transaction);
    },
    async beforeUpdate(row, values, call) {
      await checkAlertQueries(values, checkOf(call));
      checkInstances({ ...row, ...values });
      checkDashboard(values, { ...row, ...values }.securable_id);
      return { ...values, ...warningsOf(values) };
    },
    async afterUpdate(row, { frequency, timezone_id, time_of_day }, { context }, transaction) {
      if ((frequency ?? timezone_id ?? time_of_day) === undefined || row.schedule_id === null)
        return;
      const { records } = context;
      const { unit, quantity } = row.frequency;
      const [schedule] = await records.find("schedule", { id: row.schedule_id }, transaction);
      if (!schedule) return;
      const timezone = row.timezone_id ?? schedule.timezone;
      const { time_of_day: time } = row;
      const anchor = schedule.started_at ?? schedule.created_at;
      const recurrence = {
        frequency_unit: unit,
        frequency_quantity: quantity,
        timezone,
        ...(time !== null && { started_at: atTimeOfDay(anchor, time, timezone ?? "UTC") }),
      };
      const due = dueAfter({ ...schedule, ...recurrence }, Date.now());
      await records.change(
        "schedule",
        schedule.id,
        { ...recurrence, scheduled_at: due },
        transaction,
      );
    },
    async beforeDelete(row, { context }, transaction) {
      await leaveSchedule(row, context.records, transaction);
    },
    async beforeCreate(values, call) {
      await checkAlertQueries(values, checkOf(call));
      checkInstances(values);
      checkDashboard(values, values.securable_id);
      await refuseChannelAddresses(values, call);
      const { userId, restriction, own } = call.principal;
      const secrets: (string | null)[] = [];
      const channels = acceptChannels(values, call).map((each: ChannelValues) => {
        const { config, made = null } = withSecret(each.type, each.config);
        secrets.push(made);
        return { ...each, config };
      });
      const sticky = [...((restriction ?? own)?.parameters ?? [])].filter(
        ([, { sticky }]) => sticky,
      );
      return {
        ...values,
        ...(channels.length > 0 && { channels }),
        ...(secrets.some((each) => each !== null) && { channel_secrets: secrets }),
        user_id: userId,
        ...warningsOf(values),
        is_of_token: restriction !== undefined,
        ...(sticky.length > 0 && { sticky_parameters: Object.fromEntries(sticky) }),
      };
    },
    async afterCreate(row, call, transaction, values) {
      const { records } = call.context;
      const made = acceptChannels(values, call).map((each) => ({
        ...each,
        user_id: row.user_id,
      }));
      const rows = await records.insertMany("channel", made, transaction);
      await linkChannels(
        row.id,
        rows.map(({ id }) => id),
        transaction,
      );
      const zone = row.timezone_id ?? (await timezoneOf(row.user_id, call, transaction)) ?? "UTC";
      const recurring = { frequency: row.frequency, zone, timeOfDay: row.time_of_day };
      const schedule = await makeSchedule(records, recurring, row.user_id, transaction);
      return records.change("alert", row.id, { schedule_id: schedule.id }, transaction);
    },
  },
  shownBeside: {
    create: {
      channel_secrets: Type.Array(Type.Union([Type.String(), Type.Null()]), {
        description:
          "The secrets with which the host signs the messages of the new channels: one per entry of channels, or null. Shown only once.",
      }),
      ...warned,
    },
    update: warned,
    validate: warned,
  },
};
