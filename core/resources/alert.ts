import Type from "typebox";
import { ApiError } from "../errors.ts";
import { allowOwner } from "./allow.ts";
import { linkChannels } from "./channel.ts";
import { frequencyUnits, parseFrequency } from "./frequency.ts";
import {
  type Declaration,
  type Field,
  type HookCall,
  type Values,
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
} from "./kernel/index.ts";
import { alertChannel } from "./links.ts";

const frequency: Field = {
  ...object({ ...settable, required: true, nullable: false }),
  schema: Type.Union([Type.String(), Type.Record(Type.String(), Type.Unknown())]),
  expects: "{unit, quantity}",
  check: (value) =>
    parseFrequency(value)
      ? undefined
      : `be {unit: one of ${frequencyUnits.join(", ")}, quantity: a whole number from 1}, or words such as daily, week or 2 weeks`,
  convert: parseFrequency,
};

/** Makes the channels of a new alert: each is the properties of one. */
async function createChannels(
  alertId: string,
  given: readonly Values[],
  { context, principal }: HookCall,
  transaction: Parameters<typeof linkChannels>[2],
): Promise<void> {
  const { records, declarations } = context;
  const channel = declarations.get("channel");
  if (!channel) throw new TypeError("there is no resource channel");
  const made = given.map((each, index) => ({
    ...acceptPart(channel, each, `properties.channels[${index}]`),
    user_id: principal.userId,
  }));
  const rows = await records.insertMany("channel", made, transaction);
  await linkChannels(
    alertId,
    rows.map(({ id }) => id),
    transaction,
  );
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

/** A stored query that tells its user when it returns rows. It runs with the rights of the user who made it. */
export const alert: Declaration = {
  name: "alert",
  actions: ["create", "get", "update", "delete", "associate", "dissociate", "validate"],
  roles: { update: "own" },
  ownedBy: "user_id",
  goesWithOwner: true,
  fields: {
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
  },
  inputs: {
    channels: list(Type.Record(Type.String(), Type.Unknown()), "a list of {name, type, config}", {
      on: ["create"],
    }),
  },
  allow: allowOwner("user_id"),
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
    User: { kind: "one", resource: "user", key: "user_id" },
  },
  hooks: {
    async beforeCreate(values, { principal }) {
      return { ...values, user_id: principal.userId };
    },
    async afterCreate(row, call, transaction, values) {
      const channels = (values["channels"] ?? []) as readonly Values[];
      if (channels.length > limits.associationCount)
        throw new ApiError("MEMBER_INVALID", [
          "properties.channels",
          `must have at most ${limits.associationCount} entries`,
        ]);
      await createChannels(row.id, channels, call, transaction);
    },
  },
};
