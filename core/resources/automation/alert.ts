import Type from "typebox";
import { ApiError } from "../../errors.ts";
import { allowOwner } from "../rights/allow.ts";
import { checkStoredQuery } from "../../queries/index.ts";
import { inOrganizationOfUser } from "../rights/allowUser.ts";
import { linkChannels } from "./channel.ts";
import { checkChannelConfig } from "./channelConfig.ts";
import { frequencyUnits, parseFrequency } from "./frequency.ts";
import {
  type Declaration,
  type HookCall,
  type Values,
  type ValuesOf,
  accept,
  identity,
  limits,
  list,
  object,
  settable,
  timeZone,
  timestamps,
  title,
  uuid,
} from "../kernel/index.ts";
import { alertChannel } from "../rights/links.ts";
import { takeOver } from "./takeOver.ts";

const frequency = {
  ...object({ ...settable, required: true, nullable: false }),
  schema: Type.Union([Type.String(), Type.Record(Type.String(), Type.Unknown())]),
  expects: "{unit, quantity}",
  check: (value: unknown) =>
    parseFrequency(value)
      ? undefined
      : `be {unit: one of ${frequencyUnits.join(", ")}, quantity: a whole number from 1}, or words such as daily, week or 2 weeks`,
  convert: parseFrequency,
};

/** The accepted properties of the channels that a new alert makes. @throws {ApiError} as a create of each */
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
    const accepted = acceptPart(channel, each, path);
    checkChannelConfig(accepted["type"], accepted["config"], path);
    return accepted;
  });
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
 * Checks the query of an alert with the rights of the caller, who is its user.
 * @throws {ApiError} as `checkStoredQuery`
 */
async function checkQuery({ query }: Values, { context, principal }: HookCall): Promise<void> {
  if (query === undefined) return;
  const { records, connections } = context;
  try {
    await checkStoredQuery(query, "properties.query", { records, connections, principal });
  } catch (failure) {
    if (!(failure instanceof ApiError)) throw failure;
    const { code, details, message } = failure;
    throw new ApiError(code, details, { cause: failure, validation: { query: [message] } });
  }
}

const fields = {
  ...identity,
  name: title({ ...settable, required: true, nullable: false }),
  query: object({ ...settable, required: true, nullable: false }),
  chart_id: uuid(settable),
  frequency,
  timezone_id: timeZone(settable),
  securable_id: uuid({ ...settable, refersTo: ["securable", "read"] }),
  schedule_id: uuid(),
  user_id: uuid({ nullable: false }),
  ...timestamps,
};

const inputs = {
  channels: list(Type.Record(Type.String(), Type.Unknown()), "a list of {name, type, config}", {
    on: ["create"],
  }),
};

/** A stored query that notifies its user when it returns rows. It runs with the rights of the user who made it. */
export const alert: Declaration<typeof fields, typeof inputs> = {
  name: "alert",
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
    // `takeOver` says who becomes the user.
    User: {
      kind: "one",
      resource: "user",
      key: "user_id",
      roles: ["organizationMember", "organizationMember"],
    },
  },
  hooks: {
    async onValidate(values, call) {
      await checkQuery(values, call);
      acceptChannels(values, call);
      return {};
    },
    beforeKey: takeOver,
    async beforeUpdate(_row, values, call) {
      await checkQuery(values, call);
      return values;
    },
    async beforeCreate(values, call) {
      await checkQuery(values, call);
      return { ...values, user_id: call.principal.userId };
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
    },
  },
};
