import type { Knex } from "knex";
import Type from "typebox";
import { isObject, type ResourceRow, type Members } from "../../base/index.ts";
import {
  type Declaration,
  type HookCall,
  type Values,
  choice,
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
import { checkChannelConfig } from "./channelConfig.ts";
import { rotateSecret } from "./rotateSecret.ts";
import { refuseMovedSecret } from "../kernel/refuseMovedSecret.ts";
import { restoreSealed } from "../kernel/restoreSealed.ts";

/** Members of a config that are not secret. For other members, responses contain only the name. */
const shown = ["message", "subject", "recipients", "text", "to", "previous_secret_until"];

/** The secrets of a channel are sent only to the address with which they were entered. */
const sealedConfig = {
  member: "config",
  harmless: shown,
  secrets: ["secret", "previous_secret"],
};

const showConfig = (config: Values): Values =>
  Object.fromEntries(Object.entries(config).filter(([member]) => shown.includes(member)));

const fields = {
  ...identity,
  name: title(settable),
  type: choice(["email", "slack", "sms", "teams", "webhook"], {
    ...settable,
    required: true,
    nullable: false,
  }),
  config: sealedObject({ ...settable, show: showConfig }),
  /** The reason why the host stopped sending to the channel. Changing the config clears it. */
  disabled_reason: text(),
  /** Number of failures since the last success. */
  failures: number({ nullable: false, default: 0 }),
  /** Time until which messages wait, because the channel failed several times in a row. */
  paused_until: instant(),
  /** The time at which the owner was notified that the channel does not work. */
  told_at: { ...instant(), hidden: true },
  /** Addresses of recipients who unsubscribed. */
  unsubscribed: list(Type.String(), "a list of addresses", { nullable: false, default: () => [] }),
  user_id: uuid({ nullable: false }),
  ...timestamps,
};

/**
 * A destination of notices: e-mail, text message, webhook or chat. Webhook addresses are secrets, because anyone who
 * knows one can post to it.
 */
export const channel: Declaration<typeof fields> = {
  name: "channel",
  actions: ["create", "get", "update", "delete", "associate", "dissociate", "validate"],
  roles: { update: "own" },
  ownedBy: "user_id",
  fields,
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
      return {};
    },
    async beforeCreate(values, call) {
      const { principal } = call;
      checkChannelConfig(values.type, values.config);
      await refuseChannelAddress(values.config, call);
      return { ...values, user_id: principal.userId };
    },
    async beforeUpdate(row, values, call) {
      await refuseChannelAddress(values.config, call);
      const kept = restoreSealed(row, values, "config");
      checkUpdate(row, kept);
      const isMoved = refuseMovedSecret(row, values, sealedConfig);
      if (kept["config"] === undefined) return kept;
      // The former secret must not sign requests to the new address.
      const isHook = !isMoved && (kept["type"] ?? row.type) === "webhook";
      const config = isHook ? rotateSecret(row.config, kept["config"], Date.now()) : kept["config"];
      return {
        ...kept,
        config,
        disabled_reason: null,
        failures: 0,
        paused_until: null,
        told_at: null,
      };
    },
  },
};

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
