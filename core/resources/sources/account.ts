import Type from "typebox";
import { allowShared } from "../rights/allow.ts";
import { type AccountProperty, PluginError } from "../../../plugins/protocol/index.ts";
import type { AccountValues, ResourceRow } from "../../contracts/index.ts";
import { ApiError } from "../../errors.ts";
import {
  type Declaration,
  type HookCall,
  type Values,
  type ValuesOf,
  flag,
  identity,
  instant,
  limits,
  list,
  multilingual,
  number,
  sealedObject,
  settable,
  text,
  timestamps,
  title,
  uuid,
} from "../kernel/index.ts";
import { accountGroup, accountUser } from "../rights/links.ts";
import { checkMembers, isMember } from "./checkMembers.ts";
import { metadataSync, updateMetadata } from "./metadataSync.ts";
import { declaredProperties, missingProperty, shownProperties } from "./pluginProperties.ts";
import { refuseDependents } from "./refuseDependents.ts";
import { restoreSealed } from "../kernel/restoreSealed.ts";

/** Members whose change has the source asked again whether it takes them. */
const credentials = [
  "provider",
  "host",
  "port",
  "scope",
  "identifier",
  "token",
  "properties",
  "code",
] as const;

/** Members that decide which source is reached, and whether it is. */
const reaching = ["active", "plugin_id", ...credentials] as const;

/**
 * Has the source check credentials before they are stored. With OAuth2 and no code, answers the `auth_url` where a
 * person agrees; a code is exchanged for the token, which is stored instead. `warnings` name the
 * capabilities that do not hold for these credentials.
 */
async function authorizeCandidate(
  values: Values,
  { context, principal, signal }: HookCall,
): Promise<Values> {
  const plugin = await pluginOf(values, { context, principal });
  const declared = plugin
    ? undefined
    : await context.connections.connectorProperties(String(values["provider"]));
  if (declared) checkMembers(values, declared);
  refuseIncomplete(values, plugin, declared);
  const candidate = await context.connections.candidate(
    values as Values & AccountValues,
    principal,
  );
  const { userId, name, email } = principal;
  const caller = { signal, user: { id: userId, name, email } };
  const { code } = values;
  if (typeof code === "string" && candidate.exchange && plugin?.authorize === "oauth2")
    return { token: tokenIn(await candidate.exchange(code, caller), candidate.name), code: null };
  const { authUrl } = (await candidate.authorize(caller)) ?? {};
  const common = { connector_properties: declared ?? null };
  if (authUrl !== undefined && /^https?:\/\//.test(authUrl))
    return { ...common, auth_url: authUrl };
  const { demoted = [] } = (await candidate.capabilitiesOf?.(caller)) ?? {};
  const warnings = demoted.map(({ capability, reason }) => `${capability} is not used: ${reason}`);
  return { ...common, ...(warnings.length > 0 && { warnings }) };
}

/**
 * Asks the source about credentials that are only looked at: nothing is stored, and a code, which is good once, is not
 * exchanged. With members missing nothing is asked. Answers the refusal of the source, or what it says besides yes.
 */
async function tryCandidate(values: Values, call: HookCall): Promise<Values> {
  if (typeof values["provider"] !== "string") return {};
  try {
    const { auth_url, warnings } = await authorizeCandidate({ ...values, code: null }, call);
    return {
      ...(auth_url !== undefined && { auth_url }),
      ...(warnings !== undefined && { warnings }),
    };
  } catch (failure) {
    if (failure instanceof ApiError && failure.code === "MEMBER_MISSING") return {};
    // A fault of the host is none of the credentials.
    if (!(failure instanceof PluginError) || failure.status === 500) throw failure;
    return { valid: false, message: failure.message, validation: {} };
  }
}

/** The credentials of an account with new ones in their place; its secrets are opened. */
function merged(row: ResourceRow<"account">, given: Values, { context }: HookCall): Values {
  // A lost secret is entered again without being opened; lost properties that are not given are empty.
  const token = Object.hasOwn(given, "token")
    ? null
    : (context.records.reveal("account", row, "token") ?? null);
  const properties = row.properties === null ? { properties: {} } : {};
  return { ...row, ...properties, token, code: null, ...given };
}

/** The token that lasts longest among the credentials of a provider. */
function tokenIn(credentials: Values, pluginName: string): string {
  const { refresh_token, access_token } = credentials;
  for (const token of [refresh_token, access_token])
    if (typeof token === "string" && token !== "") return token;
  throw new PluginError("PLUGIN_BAD_ANSWER", [
    `${pluginName}: /exchange answered neither refresh_token nor access_token`,
  ]);
}

/** The plugin record that the provider names, undefined for one that is part of the host. */
async function pluginOf(
  values: ValuesOf<typeof fields>,
  { context, principal }: Pick<HookCall, "context" | "principal">,
): Promise<ResourceRow<"plugin"> | undefined> {
  const named = await context.records.find("plugin", { slug: values.provider });
  const usable = await context.records.visible(
    "plugin",
    named.map(({ id }) => id),
    "use",
    principal,
  );
  const isOwn = (row: ResourceRow<"plugin">) => row.organization_id === principal.organizationId;
  const rows = [...usable.values()];
  return rows.find(isOwn) ?? rows[0];
}

/** Refuses an account without a property that its plugin requires, before the source is asked. */
function refuseIncomplete(
  values: Values,
  plugin: ResourceRow<"plugin"> | undefined,
  declared: readonly AccountProperty[] | undefined,
): void {
  const missing = missingProperty(values, declaredProperties(declared ?? plugin?.properties));
  if (missing === undefined) return;
  const path = declared && isMember(missing) ? missing : `properties.${missing}`;
  throw new ApiError("MEMBER_MISSING", [
    `properties.${path}`,
    plugin
      ? `a value: the plugin ${String(plugin.slug)} requires it of every connection`
      : `a value: connections of ${String(values["provider"])} need it`,
  ]);
}

/** Has the connector close what it keeps for an account as it was. */
async function release(
  row: ResourceRow<"account">,
  { context: { connections, log } }: HookCall,
): Promise<void> {
  await connections.release(row).catch((failure: unknown) => {
    log.warn({ err: failure, accountId: row.id }, "a connector did not close an old connection");
  });
}

const fields = {
  ...identity,
  name: title(settable),
  description: multilingual(settable),
  provider: text({ ...settable, required: true, nullable: false }),
  properties: sealedObject({
    ...settable,
    default: () => ({}),
    show: (value, declared) => shownProperties(value, declaredProperties(declared)),
    showBeside: (knex, alias) =>
      knex.raw(
        "coalesce((select p.properties from plugin p where p.id = ??.plugin_id), ??.connector_properties)",
        [alias, alias],
      ),
  }),
  date: instant({ ...settable, default: () => new Date() }),
  expiry: instant(settable),
  scope: text(settable),
  host: text(settable),
  port: {
    ...text(settable),
    schema: Type.Union([Type.String(), Type.Number()]),
    expects: "a port number, as text or number",
    check: (value: unknown) =>
      typeof value !== "number" || (Number.isInteger(value) && 0 <= value && value <= 65_535)
        ? undefined
        : "be a whole number from 0 to 65535, as text or number",
    convert: String,
  },
  identifier: text(settable),
  token: text({ ...settable, secret: true, length: limits.secretLength }),
  code: text({ ...settable, secret: true, length: limits.secretLength }),
  active: flag({ ...settable, nullable: false, default: true }),
  invalid: flag({ ...settable, nullable: false, default: false }),
  cache: number({
    ...settable,
    nullable: false,
    default: 0,
    check: (value) => (Number(value) >= 0 ? undefined : "be 0 or more seconds"),
  }),
  datasets_meta_sync_enabled: flag({ ...settable, nullable: false, default: true }),
  datasets_meta_sync_interval: number({
    ...settable,
    nullable: false,
    default: 1,
    check: (value) => (Number(value) > 0 ? undefined : "be more than 0 hours"),
  }),
  synced: flag({ nullable: false, default: false }),
  version: text(),
  connector_properties: list(Type.Record(Type.String(), Type.Unknown()), "a list of objects", {
    hidden: true,
  }),
  shareable_id: uuid({ nullable: false, default: () => crypto.randomUUID() }),
  plugin_id: uuid(),
  user_id: uuid({ nullable: false }),
  ...timestamps,
};

const inputs = { update_metadata: updateMetadata };

/** The answer of the source to credentials, besides yes. */
const authorized = {
  auth_url: Type.String({ description: "where a person agrees first (OAuth2)" }),
  warnings: Type.Array(Type.String(), { description: "capabilities that are not used, and why" }),
};

/** A connection: a plugin and the credentials for it. */
export const account: Declaration<typeof fields, typeof inputs> = {
  name: "account",
  actions: ["create", "get", "update", "delete", "associate", "dissociate", "validate"],
  roles: { update: "own" },
  ownedBy: "user_id",
  fields,
  allow: allowShared({
    ownerKey: "user_id",
    recordKey: "account_id",
    users: accountUser,
    groups: accountGroup,
  }),
  associations: {
    Users: {
      kind: "through",
      resource: "user",
      link: accountUser,
      ownKey: "account_id",
      otherKey: "user_id",
      roles: ["own", "organizationEditor"],
    },
    Groups: {
      kind: "through",
      resource: "group",
      link: accountGroup,
      ownKey: "account_id",
      otherKey: "group_id",
      roles: ["own", "use"],
    },
    Owner: { kind: "one", resource: "user", key: "user_id", roles: ["own", "organizationEditor"] },
    Plugin: { kind: "one", resource: "plugin", key: "plugin_id" },
    Securables: { kind: "many", resource: "securable", key: "account_id" },
  },
  hooks: {
    async onValidate(values, call, row) {
      const given: Values = row ? restoreSealed(row, values, "properties") : values;
      if (!credentials.some((member) => Object.hasOwn(given, member))) return {};
      return tryCandidate(row ? merged(row, given, call) : { properties: {}, ...given }, call);
    },
    async beforeCreate(values, call) {
      const told = await authorizeCandidate(values, call);
      return {
        ...values,
        ...told,
        plugin_id: (await pluginOf(values, call))?.id ?? null,
        user_id: call.principal.userId,
      };
    },
    async beforeUpdate(row, given, call) {
      const values = restoreSealed(row, given, "properties");
      if (!credentials.some((member) => Object.hasOwn(values, member))) return values;
      const properties = row.properties === null ? { properties: {} } : {};
      const told = await authorizeCandidate(merged(row, values, call), call);
      const plugin = Object.hasOwn(values, "provider")
        ? { plugin_id: (await pluginOf(values, call))?.id ?? null }
        : {};
      return { ...properties, ...values, ...told, ...plugin, invalid: false };
    },
    async afterCommit(before, after, call) {
      const isSame = (member: (typeof reaching)[number]) =>
        JSON.stringify(before[member]) === JSON.stringify(after[member]);
      if (!reaching.every(isSame)) await release(before, call);
    },
    afterDelete: release,
    beforeDelete: (row, call, transaction) =>
      refuseDependents(
        row,
        {
          resource: "securable",
          key: "account_id",
          without: "cannot be asked without this account",
        },
        call,
        transaction,
      ),
  },
  inputs,
  shownBeside: {
    create: authorized,
    update: { ...authorized, metadata_sync: metadataSync },
    validate: authorized,
  },
};
