import Type from "typebox";
import { encryptions } from "../../../plugins/protocol/index.ts";
import { allowShared } from "../rights/allow.ts";
import { type AccountValues, destinationOf, type ResourceRow } from "../../base/index.ts";
import {
  type Declaration,
  type HookCall,
  type Values,
  choice,
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
import { authorizeCandidate, authorizeNew, pluginOf, tryCandidate } from "./authorizeCandidate.ts";
import { confirmedFor, refuseUnconfirmed, sourceOf } from "./confirmDestination.ts";
import { metadataSync, updateMetadata } from "./metadataSync.ts";
import { declaredProperties, shownProperties } from "./pluginProperties.ts";
import { refuseDependents } from "./refuseDependents.ts";
import { restoreSealed } from "../kernel/restoreSealed.ts";

/** Members that, when changed, make the host check the credentials with the source again. */
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

/** Members that decide which source the account uses, and whether it is used at all. */
const reaching = ["active", "plugin_id", ...credentials] as const;

/** Returns an account with new credentials merged in and its secrets decrypted. */
function merged(
  row: ResourceRow<"account">,
  given: Values,
  { context }: HookCall,
): Values & AccountValues {
  // If a stored secret can no longer be decrypted, the caller can enter it again. Properties that cannot be decrypted
  // and are not entered again become empty.
  const token = Object.hasOwn(given, "token")
    ? null
    : (context.records.reveal("account", row, "token") ?? null);
  const properties = row.properties === null ? { properties: {} } : {};
  return { ...row, ...properties, token, code: null, ...given };
}

/** Makes the connector close the resources of an account's old connection. */
async function release(
  row: ResourceRow<"account">,
  { context: { connections, log } }: HookCall,
): Promise<void> {
  await connections.release(row).catch((failure: unknown) => {
    log.warn({ err: failure, accountId: row.id }, "a connector could not close an old connection");
  });
}

const fields = {
  ...identity,
  name: title({ ...settable, description: "Name of the connection." }),
  description: multilingual({
    ...settable,
    description: "What the connection is for, by language.",
  }),
  provider: text({
    description: "Slug of the connector or plugin.",
    ...settable,
    required: true,
    nullable: false,
  }),
  properties: sealedObject({
    description: "Further settings of the connection, as the connector or plugin declares them.",
    ...settable,
    default: () => ({}),
    show: (value, declared) => shownProperties(value, declaredProperties(declared)),
    showBeside: (knex, alias) =>
      knex.raw(
        "coalesce((select p.properties from plugin p where p.id = ??.plugin_id), ??.connector_properties)",
        [alias, alias],
      ),
  }),
  date: instant({
    description: "Date that the client attaches to the connection. The host does not use it.",
    ...settable,
    default: () => new Date(),
  }),
  expiry: instant({
    ...settable,
    description: "When the credentials expire. The host refuses queries after this instant.",
  }),
  scope: text({
    ...settable,
    description: "Database, schema or scope of the source, depending on the connector.",
  }),
  host: text({
    ...settable,
    description: "Host name, URL, file or folder of the source, depending on the connector.",
  }),
  port: {
    ...text({ ...settable, description: "Port of the source, as a string." }),
    schema: Type.Union([Type.String(), Type.Number()]),
    expects: "a port number, as a string or number",
    check: (value: unknown) =>
      typeof value !== "number" || (Number.isInteger(value) && 0 <= value && value <= 65_535)
        ? undefined
        : "be a whole number from 0 to 65535, as a string or number",
    convert: String,
  },
  identifier: text({ ...settable, description: "User name or key at the source." }),
  token: text({
    description: "Password or token at the source. Responses never contain it.",
    ...settable,
    secret: true,
    length: limits.secretLength,
  }),
  code: text({
    description:
      "Authorization code that OAuth2 returned after consent. Responses never contain it.",
    ...settable,
    secret: true,
    length: limits.secretLength,
  }),
  /** The destination for which the secrets were entered. The secrets are never sent to any other destination. */
  confirmed_for: text({
    description: "The destination that the owner confirmed together with the secret.",
    secret: true,
  }),
  active: flag({
    description: "Whether queries may use the connection.",
    ...settable,
    nullable: false,
    default: true,
  }),
  invalid: flag({
    description: "Whether the source refused the credentials.",
    ...settable,
    nullable: false,
    default: false,
  }),
  cache: number({
    description:
      "Seconds for which answers of the connection's datasets may be reused. 0 turns the cache off.",
    ...settable,
    nullable: false,
    default: 0,
    check: (value) => (Number(value) >= 0 ? undefined : "be 0 or more seconds"),
  }),
  datasets_meta_sync_enabled: flag({
    description:
      "Whether the host synchronizes the columns of the connection's datasets with the source.",
    ...settable,
    nullable: false,
    default: true,
  }),
  datasets_meta_sync_interval: number({
    description: "Hours between two synchronizations.",
    ...settable,
    nullable: false,
    default: 1,
    check: (value) => (Number(value) > 0 ? undefined : "be more than 0 hours"),
  }),
  synced: flag({
    description: "Whether the last synchronization of each dataset of the connection succeeded.",
    nullable: false,
    default: false,
  }),
  version: text({ description: "Version of the source, if the connector reports it." }),
  connector_properties: list(Type.Record(Type.String(), Type.Unknown()), "a list of objects", {
    hidden: true,
  }),
  access_warnings: list(Type.String(), "a list of sentences", {
    description:
      "What the credentials can do beyond reading, and what an administrator should change.",
  }),
  /**
   * How the connection was encrypted when the source last accepted the credentials; null if this is unknown, or if no
   * network is used.
   */
  encryption: choice(encryptions, {
    description:
      "How calls to the source are protected: verified TLS, TLS without verification, or none.",
  }),
  shareable_id: uuid({
    description: "An id of the connection that can be shown to others. It gives no access.",
    nullable: false,
    default: () => crypto.randomUUID(),
  }),
  plugin_id: uuid({ description: "The plugin behind the connection. Null for a connector." }),
  user_id: uuid({ description: "The user who owns the connection.", nullable: false }),
  ...timestamps,
};

const inputs = { update_metadata: updateMetadata };

/** Additional members that the source returns when it accepts credentials. */
const authorized = {
  auth_url: Type.String({ description: "The URL at which a person must first consent (OAuth2)." }),
  warnings: Type.Array(Type.String(), {
    description:
      "Problems of the connection: a plugin that cannot be used yet, credentials with rights other than reading, and unused capabilities, each with its reason.",
  }),
};

/** A connection: a plugin or connector, and the credentials for it. */
export const account: Declaration<typeof fields, typeof inputs> = {
  name: "account",
  description:
    "A connection to a source: which connector or plugin, its address, and its credentials.",
  rights:
    "Its owner has all rights, and links give rights to users and groups. Credentials are never returned.",
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
      if (!row) return tryCandidate({ properties: {}, ...given }, call);
      const candidate = merged(row, given, call);
      await refuseUnconfirmed({ row, given: values, candidate }, call);
      return tryCandidate(candidate, call);
    },
    async beforeCreate(values, call) {
      const fromProvider = await authorizeNew(values, call);
      return {
        ...values,
        ...fromProvider,
        ...confirmedFor(destinationOf(values, await sourceOf(values, call))),
        plugin_id: (await pluginOf(values, call))?.id ?? null,
        user_id: call.principal.userId,
      };
    },
    async beforeUpdate(row, given, call) {
      const values = restoreSealed(row, given, "properties");
      if (!credentials.some((member) => Object.hasOwn(values, member))) return values;
      const properties = row.properties === null ? { properties: {} } : {};
      const candidate = merged(row, values, call);
      const confirmed = await refuseUnconfirmed({ row, given, candidate }, call);
      const fromProvider = await authorizeCandidate(candidate, call);
      const plugin = Object.hasOwn(values, "provider")
        ? { plugin_id: (await pluginOf(values, call))?.id ?? null }
        : {};
      return { ...properties, ...values, ...fromProvider, ...confirmed, ...plugin, invalid: false };
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
          noun: ["dataset", "datasets"],
          key: "account_id",
          without: "cannot be queried without this connection",
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
