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
  otherVersion,
  type PluginVersion,
  reference,
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
import { replaceSecret, unlessLost } from "./replaceSecret.ts";
import { refuseDependents } from "./refuseDependents.ts";
import { pluginOrganization, pluginThumbnail, pluginUser } from "../rights/links.ts";

const capability = (described: { readonly description: string }) =>
  flag({ ...described, ...settable, nullable: false, default: false });

const fields = {
  ...identity,
  slug: text({
    description: "Short name of the plugin. Accounts name it as their `provider`.",
    ...settable,
    required: true,
    nullable: false,
    check: (value) =>
      new RegExp(`^[a-z0-9_-]{1,${limits.slugLength}}$`, "i").test(String(value))
        ? undefined
        : `have 1 to ${limits.slugLength} letters, digits, - or _`,
  }),
  name: multilingual({
    description: "Name of the plugin, by language.",
    ...settable,
    required: true,
    nullable: false,
    length: limits.nameLength,
  }),
  description: multilingual({
    ...settable,
    description: "What the plugin connects to, by language.",
  }),
  base_url: text({
    description:
      "URL of the plugin, without a slash at the end. The host calls `<base_url>/datasets` and `<base_url>/query`.",
    ...settable,
    required: true,
    nullable: false,
    check: checkBaseUrl,
  }),
  pushdown: capability({
    description:
      "Whether a plugin of version 1.0.0 to 3.0.0 filters and groups. Plugins of `manifold-1` declare their capabilities instead.",
  }),
  authorize: choice(["none", "token", "host/key/token", "oauth2", "custom"], {
    description:
      "What an account must contain: nothing, a token, a host with key and token, consent through OAuth2, or the properties of the plugin.",
    ...settable,
    nullable: false,
    default: "none",
  }),
  properties: list(Type.Record(Type.String(), Type.Unknown()), "a list of objects", {
    ...settable,
    description:
      "Settings that an account of this plugin has: name, title, type and default of each.",
    described: { given: Type.Array(reference("PluginProperty")) },
  }),
  /** The version in which the host calls the plugin. If it is null, the host asks the plugin. */
  protocol_version: choice(protocolVersions, {
    ...settable,
    description:
      "The version of the protocol with which the host calls the plugin. Null: the host asks the plugin.",
  }),
  /**
   * The version that the plugin at `base_url` reported when the host last asked; null until it has reported a version.
   */
  answered_version: choice(protocolVersions, {
    description: "The version of the protocol that the plugin reported when the host last asked.",
  }),
  search: capability({ description: "Whether the plugin can search its datasets by name." }),
  supports_distinctcount: capability({
    description:
      "Whether a plugin of version 1.0.0 to 3.0.0 counts distinct values. The host counts them itself.",
  }),
  supports_order_limit: capability({
    description:
      "Whether a plugin of version 1.0.0 to 3.0.0 orders and limits rows. The host does both itself.",
  }),
  supports_join: capability({
    description:
      "Whether a plugin of version 1.0.0 to 3.0.0 joins datasets. The host joins them itself.",
  }),
  supports_like: capability({
    description: "Whether a plugin of version 1.0.0 to 3.0.0 filters by part of a string.",
  }),
  supports_nested_filters: capability({
    description: "Whether a plugin of version 1.0.0 to 3.0.0 accepts groups of filters.",
  }),
  supports_sql: capability({
    description: "Whether a plugin of version 1.0.0 to 3.0.0 runs SQL. The host sends none.",
  }),
  tiles: capability({
    description: "Whether the plugin serves map tiles. The host requests none.",
  }),
  color: text({
    description: "Colour of the plugin in lists, such as `#1A2B3C`.",
    ...settable,
    check: (value) =>
      /^#[0-9a-f]{6}$/i.test(String(value)) ? undefined : "be a colour such as #1A2B3C",
  }),
  url: text({
    description: "Link to a page about the plugin.",
    ...settable,
    check: (value) =>
      /^https?:\/\/\S+$/i.test(String(value)) ? undefined : "be an http or https URL",
  }),
  license: text({ ...settable, description: "Licence of the plugin." }),
  public: capability({ description: "Whether other organizations may use the plugin." }),
  reviewed: flag({
    description: "Whether the operator has reviewed the plugin.",
    nullable: false,
    default: false,
  }),
  verification: choice(verifications, {
    description: "Result of the last check of the plugin by the conformance kit.",
    nullable: false,
    default: "unchecked",
  }),
  checked_at: instant({ description: "When the plugin was last checked." }),
  check_report: checkedObject<PluginCheckReport>({
    description: "The claims that the last check proved, disproved or could not test.",
    check: () => undefined,
    described: { given: reference("PluginCheckReport") },
  }),
  checked_declaration: text({ hidden: true }),
  secret: text({
    description: "The secret that the host sends to the plugin in `X-Secret`.",
    nullable: false,
    secret: true,
  }),
  previous_secret: text({ description: "The secret before the last change.", secret: true }),
  /** Time until which the plugin's previous secret is also accepted. */
  previous_secret_until: instant({
    description:
      "The instant until which the host sends the previous secret if the plugin refuses the new secret.",
  }),
  user_id: uuid({ description: "The user who registered the plugin.", nullable: false }),
  organization_id: uuid({ description: "The organization of the plugin.", nullable: false }),
  ...timestamps,
};

const inputs = {
  new_secret: text({
    description:
      "The secret that the plugin requires. In `create`, it replaces the secret that the host would generate; in `update`, the current secret. Never returned.",
    ...settable,
    nullable: false,
    length: limits.secretLength,
    check: (value) => (value === "" ? "have at least one character" : undefined),
  }),
  /** Hours for which the previous secret stays valid after the change. */
  keep_secret_hours: number({
    description: "How many hours the previous secret stays valid after a change.",
    on: ["update"],
    nullable: false,
    check: (value) =>
      Number(value) >= 0 && Number(value) <= 720 ? undefined : "be a number from 0 to 720",
  }),
};

const warningSchemas = {
  warnings: Type.Array(Type.String(), {
    description:
      "Problems that the host noticed: the plugin cannot be reached, refuses the host, or speaks another protocol version; or some flags do not lead to pushdown.",
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

/** Members that, when changed, make the host ask the plugin for its version. */
const asking = ["base_url", "protocol_version"] as const;

const unchecked = {
  verification: "unchecked",
  checked_at: null,
  check_report: null,
  checked_declaration: null,
} as const;

const versionOf = (value: unknown) => protocolVersions.find((each) => each === value);

/**
 * Returns `warnings` with the given problems, and with those that the members of a record show by themselves. Returns
 * no such member if there are none.
 */
function warningsOf(
  values: Members<"protocol_version" | "answered_version" | "pushdown">,
  problems: readonly string[] = [],
): Values {
  const recorded = versionOf(values.protocol_version);
  const answered = versionOf(values.answered_version);
  const other = otherVersion(recorded, answered);
  const unused = unusedFlags({
    // A plugin that has not answered counts as the latest numbered protocol version.
    protocolVersion: recorded ?? answered ?? "3.0.0",
    pushdown: values.pushdown === true,
    flags: featureFlags.filter((flag) => values[flag] === true),
  });
  const warnings = [
    ...problems,
    ...(other === undefined ? [] : [other]),
    ...unused.map(({ capability, reason }) => `${capability} is not used: ${reason}`),
  ];
  return warnings.length === 0 ? {} : { warnings };
}

/** Lists the problems to report to a caller whose plugin did not say which version it speaks. */
function problemsOf(
  { outcome, problem = "" }: PluginVersion,
  { protocol_version }: Members<"protocol_version">,
  hasSecret: boolean,
): readonly string[] {
  const isNumbered = protocol_version !== "manifold-1" && versionOf(protocol_version) !== undefined;
  switch (outcome) {
    case "answered":
      return problem === "" ? [] : [`the plugin cannot be used yet: ${problem}`];
    case "unreachable":
      return [
        `the plugin cannot be reached yet: ${problem}; the record is stored, and the host calls the plugin again when the plugin is used`,
      ];
    // Plugins of the numbered versions may answer an unknown route with any error.
    case "refused":
      if (isNumbered || !hasSecret) return [];
      return [
        `the plugin refuses the host: ${problem}; set the plugin's secret to the secret of this record, or update the record with the plugin's secret as new_secret; then the host asks again`,
      ];
    case "unclear":
      if (isNumbered) return [];
      return [
        `the plugin did not say which protocol it speaks: ${problem}; until then, the host assumes version 3.0.0`,
      ];
    default:
      return outcome satisfies never;
  }
}

/** Asks the plugin of a record for its version, and returns the members that follow from its answer. */
async function askedMembers(
  values: Members<"slug" | "base_url" | "organization_id" | "protocol_version" | "pushdown">,
  secret: string | undefined,
  { context, principal }: HookCall,
): Promise<Values> {
  const asked = await context.connections.askVersion({
    slug: String(values.slug),
    base_url: String(values.base_url),
    pushdown: values.pushdown === true,
    organizationId: String(values.organization_id ?? principal.organizationId),
    ...(secret !== undefined && { secret }),
  });
  const answered_version = asked.version ?? null;
  return {
    answered_version,
    ...warningsOf({ ...values, answered_version }, problemsOf(asked, values, secret !== undefined)),
  };
}

const shownWarnings = ({ warnings }: Members<"warnings">): Values =>
  warnings === undefined ? {} : { warnings };

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
  description:
    "A plugin over HTTP that the host calls at its address. A connection names it as its provider.",
  rights:
    "Its owner has all rights. Users and organizations with which it is shared can read and use it.",
  actions: ["create", "get", "update", "delete", "associate", "dissociate", "validate"],
  ownedBy: "user_id",
  fields,
  // The host generates the secret, unless the caller enters one. A caller may enter it again at any time.
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
    async beforeCreate({ new_secret: chosen, ...values }, call) {
      const { principal } = call;
      await refuseBaseUrl(values, call);
      const secret = chosen ?? randomBytes(32).toString("base64url");
      return {
        ...values,
        ...(await askedMembers(values, secret, call)),
        secret,
        user_id: principal.userId,
        organization_id: principal.organizationId,
      };
    },
    async onValidate(values, call, row) {
      await refuseBaseUrl(values, call);
      if (row) refuseMoved(row, values);
      const whole: Values = { ...row, ...values };
      // The host's secret is sent only to the address for which it was made, so a check of an address has none.
      return typeof values.base_url === "string" && values.base_url !== row?.base_url
        ? shownWarnings(await askedMembers(whole, undefined, call))
        : warningsOf(whole);
    },
    async beforeUpdate(row, { new_secret: secret, keep_secret_hours: hours, ...values }, call) {
      const { context } = call;
      await refuseBaseUrl(values, call);
      const isMoved = refuseMoved(row, { ...values, new_secret: secret, keep_secret_hours: hours });
      const before = () => context.records.reveal("plugin", row, "secret");
      // The previous secret must not be sent to the new address.
      const keptHours = isMoved ? 0 : hours;
      const replaced = replaceSecret({ secret, hours: keptHours, before, nowMs: Date.now() });
      const kept = { ...values, ...replaced };
      const isOther = declared.some(
        (name) => values[name] !== undefined && values[name] !== row[name],
      );
      const whole: Values = { ...row, ...values };
      const isAsked =
        secret !== undefined ||
        asking.some((name) => values[name] !== undefined && values[name] !== row[name]);
      const asked = isAsked
        ? await askedMembers(whole, kept.secret ?? unlessLost(before), call)
        : warningsOf(whole);
      return { ...kept, ...(isOther && unchecked), ...asked };
    },
    beforeDelete: (row, call, transaction) =>
      refuseDependents(
        row,
        {
          resource: "account",
          noun: ["connection", "connections"],
          key: "plugin_id",
          without: "cannot work without this plugin",
        },
        call,
        transaction,
      ),
    async beforeLink({ action, link, own, other }) {
      if (action !== "dissociate" || link !== pluginUser) return;
      if (own.user_id === other.id)
        throw new ApiError("CONFLICT", [
          "the link between a plugin and its creator cannot be removed",
        ]);
    },
  },
  shownOnce: ["secret"],
  chosenWith: { secret: "new_secret" },
  shownBeside: { create: warningSchemas, update: warningSchemas, validate: warningSchemas },
  computed: {
    from: ["protocol_version", "answered_version", "pushdown", ...featureFlags],
    schemas: warningSchemas,
    of: warningsOf,
  },
};
