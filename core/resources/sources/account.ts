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
import { authorizeCandidate, pluginOf, tryCandidate } from "./authorizeCandidate.ts";
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
  // A secret that was lost can be entered again without decrypting the stored value. Lost properties that are not
  // entered again become empty.
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
    expects: "a port number, as a string or number",
    check: (value: unknown) =>
      typeof value !== "number" || (Number.isInteger(value) && 0 <= value && value <= 65_535)
        ? undefined
        : "be a whole number from 0 to 65535, as a string or number",
    convert: String,
  },
  identifier: text(settable),
  token: text({ ...settable, secret: true, length: limits.secretLength }),
  code: text({ ...settable, secret: true, length: limits.secretLength }),
  /** The destination for which the secrets were entered. They are never sent to any other destination. */
  confirmed_for: text({ secret: true }),
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
  access_warnings: list(Type.String(), "a list of sentences"),
  /**
   * How the connection was encrypted when the source last accepted the credentials; null if this is unknown, or if no
   * network is used.
   */
  encryption: choice(encryptions),
  shareable_id: uuid({ nullable: false, default: () => crypto.randomUUID() }),
  plugin_id: uuid(),
  user_id: uuid({ nullable: false }),
  ...timestamps,
};

const inputs = { update_metadata: updateMetadata };

/** Additional members that the source returns when it accepts credentials. */
const authorized = {
  auth_url: Type.String({ description: "the URL at which a person must first agree (OAuth2)" }),
  warnings: Type.Array(Type.String(), {
    description:
      "rights of the credentials other than reading, and capabilities that are not used, each with the reason",
  }),
};

/** A connection: a plugin or connector, and the credentials for it. */
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
      if (!row) return tryCandidate({ properties: {}, ...given }, call);
      const candidate = merged(row, given, call);
      await refuseUnconfirmed({ row, given: values, candidate }, call);
      return tryCandidate(candidate, call);
    },
    async beforeCreate(values, call) {
      const fromProvider = await authorizeCandidate(values, call);
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
          key: "account_id",
          without: "cannot be queried without this account",
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
