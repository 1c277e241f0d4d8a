import type { Knex } from "knex";
import Type from "typebox";
import { ApiError, isObject, reference, type ResourceRow, type Members } from "../../base/index.ts";
import {
  type Declaration,
  type HookCall,
  type Values,
  choice,
  flag,
  identity,
  instant,
  list,
  number,
  sealedObject,
  settable,
  text,
  timestamps,
  title,
  uuid,
} from "../kernel/index.ts";
import { alertChannel, channelOrganization, channelUser } from "../rights/links.ts";
import { checkChannelConfig, configNames } from "./channelConfig.ts";
import { rotateSecret } from "./rotateSecret.ts";
import { keepSigned, weakSecretWarning, withSecret } from "./signingSecret.ts";
import { refuseMovedSecret } from "../kernel/refuseMovedSecret.ts";
import { restoreSealed } from "../kernel/restoreSealed.ts";

/** Members of a config that are not secret. For other members, responses contain only the name. */
const shown = ["message", "subject", "recipients", "text", "to", "previous_secret_until"];

/** The secrets of a channel are sent only to the address for which they were entered. */
const sealedConfig = {
  member: "config",
  harmless: shown,
  secrets: ["secret", "previous_secret"],
};

const showConfig = (config: Values): Values =>
  Object.fromEntries(Object.entries(config).filter(([member]) => shown.includes(member)));

const fields = {
  ...identity,
  name: title({ ...settable, description: "Name of the channel." }),
  type: choice(["email", "slack", "sms", "teams", "webhook"], {
    description: "The way in which messages are sent, such as `email`.",
    ...settable,
    required: true,
    nullable: false,
  }),
  config: sealedObject({
    description: "Where messages are sent, and the credentials for it. Responses show no secrets.",
    ...settable,
    show: showConfig,
    described: { given: reference("ChannelConfig") },
  }),
  /** The reason why the host stopped sending to the channel. Changing the config clears it. */
  disabled_reason: text({
    description: "Why the host stopped using the channel. Null while the channel works.",
  }),
  /** Number of failures since the last success. */
  failures: number({
    description: "How many messages in a row could not be sent.",
    nullable: false,
    default: 0,
  }),
  /** Time until which messages wait, because the channel failed several times in a row. */
  paused_until: instant({
    description: "The instant at which the host tries the channel again.",
  }),
  /** The time at which the owner was notified that the channel does not work. */
  told_at: instant({ hidden: true }),
  /** Addresses of recipients who unsubscribed. */
  unsubscribed: list(Type.String(), "a list of addresses", {
    description: "Addresses whose owners have unsubscribed.",
    nullable: false,
    default: () => [],
  }),
  user_id: uuid({ description: "The user who owns the channel.", nullable: false }),
  ...timestamps,
};

const inputs = {
  /** Whether the host creates a new secret for a webhook. For a day, messages are also signed with the old secret. */
  rotate_secret: flag({
    description:
      "Whether the host creates a new secret, which the answer shows once. For a day, messages carry signatures with both secrets.",
    on: ["update"],
    nullable: false,
  }),
};

const made = {
  secret: Type.String({
    description: "The secret with which the host signs messages of a webhook. Shown only once.",
  }),
};
const warned = {
  warnings: Type.Array(Type.String(), { description: "Why the secret of a webhook is weak." }),
};

const warningsOf = (type: unknown, config: unknown): Values => {
  const warning = weakSecretWarning(type, config);
  return warning === undefined ? {} : { warnings: [warning] };
};

/**
 * A destination of notices: e-mail, text message, webhook or chat. Webhook addresses are secrets, because anyone who
 * knows the address can post to it.
 */
export const channel: Declaration<typeof fields, typeof inputs> = {
  name: "channel",
  description:
    "A place to which the host sends messages: e-mail addresses, a Slack or Teams channel, phones or a webhook.",
  rights:
    "Its owner has all rights. Users and organizations with which it is shared can read and use it.",
  actions: ["create", "get", "update", "delete", "associate", "dissociate", "validate"],
  roles: { update: "own" },
  ownedBy: "user_id",
  fields,
  inputs,
  variants: {
    by: "type",
    members: Object.fromEntries(
      Object.entries(configNames).map(([type, name]) => [type, { config: reference(name) }]),
    ),
  },
  allow(query, alias, right, { userId, organizationId }) {
    query.where(`${alias}.user_id`, userId);
    if (right === "read" || right === "use") {
      const isLinked = (link: typeof channelUser, key: string, id: string) =>
        query.orWhereRaw("exists (select 1 from ?? l where l.channel_id = ??.id and l.?? = ?)", [
          link.table,
          alias,
          key,
          id,
        ]);
      isLinked(channelUser, "user_id", userId);
      isLinked(channelOrganization, "organization_id", organizationId);
    }
  },
  associations: {
    Users: {
      kind: "through",
      resource: "user",
      link: channelUser,
      ownKey: "channel_id",
      otherKey: "user_id",
      roles: ["own", "organizationEditor"],
    },
    Organizations: {
      kind: "through",
      resource: "organization",
      link: channelOrganization,
      ownKey: "channel_id",
      otherKey: "organization_id",
      roles: ["own", "organizationMember"],
    },
    Alerts: {
      kind: "through",
      resource: "alert",
      link: alertChannel,
      ownKey: "channel_id",
      otherKey: "alert_id",
      roles: ["use", "own"],
    },
    Owner: { kind: "one", resource: "user", key: "user_id", roles: ["own", "organizationEditor"] },
  },
  hooks: {
    async onValidate(values, call, row) {
      await refuseChannelAddress(values.config, call);
      if (row) {
        checkUpdate(row, restoreSealed(row, values, "config"));
        refuseMovedSecret(row, values, sealedConfig);
      } else checkChannelConfig(values.type, values.config);
      return warningsOf(values.type ?? row?.type, values.config);
    },
    async beforeCreate(values, call) {
      const { principal } = call;
      checkChannelConfig(values.type, values.config);
      await refuseChannelAddress(values.config, call);
      const { config, made: secret } = withSecret(values.type, values.config);
      return {
        ...values,
        config,
        user_id: principal.userId,
        ...(secret !== undefined && { secret }),
        ...warningsOf(values.type, values.config),
      };
    },
    async beforeUpdate(row, { rotate_secret: rotates = false, ...values }, call) {
      await refuseChannelAddress(values.config, call);
      const type = values.type ?? row.type;
      if (rotates) refuseRotation(type, values.config);
      const kept = restoreSealed(row, values, "config");
      checkUpdate(row, kept);
      const isMoved = refuseMovedSecret(row, values, sealedConfig);
      const given = kept["config"] ?? (rotates ? row.config : undefined);
      if (given === undefined) return kept;
      const { config: signed, made: secret } = keepSigned({ row, type, given, isMoved, rotates });
      // The previous secret must not sign requests to the new address.
      const isHook = !isMoved && type === "webhook";
      const config = isHook ? rotateSecret(row.config, signed, Date.now()) : signed;
      return {
        ...kept,
        config,
        ...(secret !== undefined && { secret }),
        ...warningsOf(type, kept["config"]),
        disabled_reason: null,
        failures: 0,
        paused_until: null,
        told_at: null,
      };
    },
  },
  shownBeside: {
    create: { ...made, ...warned },
    update: { ...made, ...warned },
    validate: warned,
  },
};

/**
 * Refuses a call that requests a new secret for a channel without one, or that also sends a secret.
 * @throws {ApiError} MEMBER_INVALID
 */
function refuseRotation(type: unknown, config: unknown): void {
  const problem =
    type !== "webhook"
      ? `only a webhook has a secret, and this channel is of type ${String(type)}`
      : isObject<"secret">(config) && typeof config.secret === "string"
        ? "send either it or config.secret, not both"
        : undefined;
  if (problem !== undefined)
    throw new ApiError("MEMBER_INVALID", ["properties.rotate_secret", problem]);
}

/**
 * Refuses a channel whose address this host may not reach.
 * @throws {ApiError} MEMBER_INVALID
 */
export async function refuseChannelAddress(
  config: unknown,
  { context, principal: { organizationId } }: Pick<HookCall, "context" | "principal">,
  path = "properties",
): Promise<void> {
  const url = isObject<"url">(config) && Object.hasOwn(config, "url") ? config.url : undefined;
  if (typeof url !== "string") return;
  await context.connections.refuseAddress(url, { path: `${path}.config.url`, organizationId });
}

/**
 * Checks a channel's config against its type, if either of them changes.
 * @throws {ApiError} the errors of `checkChannelConfig`
 */
function checkUpdate(
  row: Pick<ResourceRow<"channel">, "type" | "config">,
  values: Members<"type" | "config">,
): void {
  const { type = row.type, config = row.config } = values;
  if (values.type !== undefined || values.config !== undefined) checkChannelConfig(type, config);
}

/** Links channels that the caller owns to a new alert. */
export async function linkChannels(
  alertId: string,
  channelIds: readonly string[],
  transaction: Knex.Transaction,
): Promise<void> {
  if (channelIds.length === 0) return;
  await transaction(alertChannel.table).insert(
    channelIds.map((channel_id) => ({ alert_id: alertId, channel_id })),
  );
}
