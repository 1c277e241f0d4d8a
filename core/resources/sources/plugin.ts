import { randomBytes } from "node:crypto";
import Type from "typebox";
import { protocolVersions } from "../../../plugins/protocol/index.ts";
import {
  ApiError,
  checkBaseUrl,
  destinationOf,
  featureFlags,
  movedMembers,
  type PluginCheckReport,
  type ResourceRow,
  unusedFlags,
  verifications,
  type Members,
} from "../../base/index.ts";
import {
  type Declaration,
  type HookCall,
  type Values,
  checkedObject,
  choice,
  flag,
  identity,
  instant,
  limits,
  list,
  multilingual,
  number,
  settable,
  text,
  timestamps,
  uuid,
} from "../kernel/index.ts";
import { replaceSecret } from "./replaceSecret.ts";
import { refuseDependents } from "./refuseDependents.ts";
import { pluginOrganization, pluginThumbnail, pluginUser } from "../rights/links.ts";

const capability = () => flag({ ...settable, nullable: false, default: false });

const fields = {
  ...identity,
  slug: text({
    ...settable,
    required: true,
    nullable: false,
    check: (value) =>
      new RegExp(`^[a-z0-9_-]{1,${limits.slugLength}}$`, "i").test(String(value))
        ? undefined
        : `have 1 to ${limits.slugLength} letters, digits, - or _`,
  }),
  name: multilingual({
    ...settable,
    required: true,
    nullable: false,
    length: limits.nameLength,
  }),
  description: multilingual(settable),
  base_url: text({ ...settable, required: true, nullable: false, check: checkBaseUrl }),
  pushdown: capability(),
  authorize: choice(["none", "token", "host/key/token", "oauth2", "custom"], {
    ...settable,
    nullable: false,
    default: "none",
  }),
  properties: list(Type.Record(Type.String(), Type.Unknown()), "a list of objects", settable),
  protocol_version: choice(protocolVersions, settable),
  search: capability(),
  supports_distinctcount: capability(),
  supports_order_limit: capability(),
  supports_join: capability(),
  supports_like: capability(),
  supports_nested_filters: capability(),
  supports_sql: capability(),
  tiles: capability(),
  color: text({
    ...settable,
    check: (value) =>
      /^#[0-9a-f]{6}$/i.test(String(value)) ? undefined : "be a colour such as #1A2B3C",
  }),
  url: text({
    ...settable,
    check: (value) =>
      /^https?:\/\/\S+$/i.test(String(value)) ? undefined : "be an http or https URL",
  }),
  license: text(settable),
  public: capability(),
  reviewed: flag({ nullable: false, default: false }),
  verification: choice(verifications, { nullable: false, default: "unchecked" }),
  checked_at: instant(),
  check_report: checkedObject<PluginCheckReport>({ check: () => undefined }),
  checked_declaration: text({ hidden: true }),
  secret: text({ nullable: false, secret: true }),
  previous_secret: text({ secret: true }),
  /** Time until which the plugin's previous secret is also accepted. */
  previous_secret_until: instant(),
  user_id: uuid({ nullable: false }),
  organization_id: uuid({ nullable: false }),
  ...timestamps,
};

const inputs = {
  new_secret: text({ on: ["update"], nullable: false, length: limits.secretLength }),
  /** Hours for which the previous secret stays valid after the change. */
  keep_secret_hours: number({
    on: ["update"],
    nullable: false,
    check: (value) =>
      Number(value) >= 0 && Number(value) <= 720 ? undefined : "be a number from 0 to 720",
  }),
};

const warningSchemas = {
  warnings: Type.Array(Type.String(), {
    description: "flags that do not lead to pushdown, each with the reason",
  }),
};

/**
 * The members that define a plugin and its capabilities. A check of the plugin is valid only for the values that were
 * checked.
 */
const declared = [
  "base_url",
  "protocol_version",
  "pushdown",
  "authorize",
  ...featureFlags,
] as const;

const unchecked = {
  verification: "unchecked",
  checked_at: null,
  check_report: null,
  checked_declaration: null,
} as const;

/** Returns warnings about flags that the host does not use, or no such member if all flags are used. */
function warningsOf(values: Members<"protocol_version" | "pushdown">): Values {
  const version = protocolVersions.find((each) => each === values.protocol_version);
  const unused = unusedFlags({
    // A record without a version counts as the latest numbered protocol version.
    protocolVersion: version ?? "3.0.0",
    pushdown: values.pushdown === true,
    flags: featureFlags.filter((flag) => values[flag] === true),
  });
  if (unused.length === 0) return {};
  return {
    warnings: unused.map(({ capability, reason }) => `${capability} is not used: ${reason}`),
  };
}

/**
 * Refuses an address that this host may not reach.
 * @throws {ApiError} MEMBER_INVALID
 */
async function refuseBaseUrl(
  { base_url }: Values,
  { context, principal }: HookCall,
): Promise<void> {
  if (typeof base_url !== "string") return;
  const { organizationId } = principal;
  await context.connections.refuseAddress(base_url, {
    path: "properties.base_url",
    organizationId,
  });
}

/**
 * Returns whether an update changes the address to which the host sends the plugin's secret.
 * @throws {ApiError} SECRET_AGAIN without a new secret; MEMBER_INVALID if the former secret would be sent to the new
 * address
 */
function refuseMoved(
  row: ResourceRow<"plugin">,
  given: Members<"base_url" | "new_secret" | "keep_secret_hours">,
): boolean {
  const base_url = given.base_url ?? row.base_url;
  const there = { plugin: { id: row.id, base_url: String(base_url) }, properties: [] };
  const here = { plugin: { id: row.id, base_url: row.base_url }, properties: [] };
  const moved = movedMembers(destinationOf({}, here), destinationOf({}, there), here);
  if (moved.length === 0) return false;
  if (given.new_secret === undefined)
    throw new ApiError("SECRET_AGAIN", ["properties.new_secret", "base_url"], {
      validation: { new_secret: ["enter the secret of the plugin again to change base_url"] },
    });
  if (Number(given.keep_secret_hours ?? 0) > 0) {
    const problem =
      "it must be 0 when base_url changes, because the former secret is not sent to the new address";
    throw new ApiError("MEMBER_INVALID", ["properties.keep_secret_hours", problem]);
  }
  return true;
}

/** A data source over HTTP. Its creator, and the organizations and users it is shared with, can see it. */
export const plugin: Declaration<typeof fields, typeof inputs> = {
  name: "plugin",
  actions: ["create", "get", "update", "delete", "associate", "dissociate", "validate"],
  ownedBy: "user_id",
  fields,
  // The host generates the secret. A caller may enter it again if the host can no longer decrypt it.
  inputs,
  allow(query, alias, right, { userId, organizationId }) {
    query.where(`${alias}.user_id`, userId);
    if (right === "read" || right === "use")
      query
        .orWhereRaw(
          "exists (select 1 from plugin_organization l where l.plugin_id = ??.id and l.organization_id = ?)",
          [alias, organizationId],
        )
        .orWhereRaw(
          "exists (select 1 from plugin_user l where l.plugin_id = ??.id and l.user_id = ?)",
          [alias, userId],
        );
  },
  associations: {
    Organizations: {
      kind: "through",
      resource: "organization",
      link: pluginOrganization,
      ownKey: "plugin_id",
      otherKey: "organization_id",
      roles: ["own", "organizationMember"],
    },
    Users: {
      kind: "through",
      resource: "user",
      link: pluginUser,
      ownKey: "plugin_id",
      otherKey: "user_id",
      roles: ["own", "organizationMember"],
    },
    Thumbnails: {
      kind: "through",
      resource: "thumbnail",
      link: pluginThumbnail,
      ownKey: "plugin_id",
      otherKey: "thumbnail_id",
      roles: ["own", "read"],
    },
    Owner: { kind: "one", resource: "user", key: "user_id", roles: ["own", "organizationEditor"] },
    Accounts: { kind: "many", resource: "account", key: "plugin_id" },
  },
  hooks: {
    async beforeCreate(values, call) {
      const { principal } = call;
      await refuseBaseUrl(values, call);
      return {
        ...values,
        ...warningsOf(values),
        secret: randomBytes(32).toString("base64url"),
        user_id: principal.userId,
        organization_id: principal.organizationId,
      };
    },
    async onValidate(values, call, row) {
      await refuseBaseUrl(values, call);
      if (row) refuseMoved(row, values);
      return warningsOf({ ...row, ...values });
    },
    async beforeUpdate(row, { new_secret: secret, keep_secret_hours: hours, ...values }, call) {
      const { context } = call;
      await refuseBaseUrl(values, call);
      const isMoved = refuseMoved(row, { ...values, new_secret: secret, keep_secret_hours: hours });
      const before = () => context.records.reveal("plugin", row, "secret");
      // The former secret must not be sent to the new address.
      const keptHours = isMoved ? 0 : hours;
      const replaced = replaceSecret({ secret, hours: keptHours, before, nowMs: Date.now() });
      const kept = { ...values, ...replaced };
      const isOther = declared.some(
        (name) => values[name] !== undefined && values[name] !== row[name],
      );
      return { ...kept, ...(isOther && unchecked), ...warningsOf({ ...row, ...values }) };
    },
    beforeDelete: (row, call, transaction) =>
      refuseDependents(
        row,
        { resource: "account", key: "plugin_id", without: "cannot be reached without this plugin" },
        call,
        transaction,
      ),
    async beforeLink({ action, link, own, other }) {
      if (action !== "dissociate" || link !== pluginUser) return;
      if (own.user_id === other.id)
        throw new ApiError("CONFLICT", ["the link of a plugin with its creator cannot be removed"]);
    },
  },
  shownOnce: ["secret"],
  shownBeside: { create: warningSchemas, update: warningSchemas, validate: warningSchemas },
  computed: {
    from: ["protocol_version", "pushdown", ...featureFlags],
    schemas: warningSchemas,
    of: warningsOf,
  },
};
