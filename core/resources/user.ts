import { randomUUID } from "node:crypto";
import type { Knex } from "knex";
import Type from "typebox";
import { ApiError } from "../errors.ts";
import { createToken, hashToken } from "./authorization.ts";
import {
  type Declaration,
  type HookCall,
  customMetadata,
  identity,
  limits,
  list,
  object,
  settable,
  text,
  timeZone,
  timestamps,
} from "./kernel/index.ts";
import {
  accountUser,
  channelUser,
  collectionUser,
  formulaUser,
  groupUser,
  integrationUser,
  organizationUser,
  pluginUser,
  securableUser,
  userThumbnail,
} from "./links.ts";
import { usualLifeS } from "./minting/duration.ts";
import { keepOrganizationOwned } from "./organization.ts";
import type { Row } from "./records.ts";

/** Narrows to users whose suborganization the caller is not kept apart from. */
const inReach = `exists (
  select 1 from organization_user l, "user" me
   where l.user_id = ??.id and l.organization_id = ? and me.id = ?
     and (me.suborganization is null or me.suborganization = ??.suborganization))`;

/** The user's suborganization, and the caller is one of its owners. */
const ownsSuborganization = `exists (
  select 1 from organization_user l
    join organization_user mine on mine.organization_id = l.organization_id
    join "user" me on me.id = mine.user_id
   where l.user_id = ??.id and mine.user_id = ? and mine."flagSuborganizationOwn"
     and me.suborganization = ??.suborganization)`;

/** @throws {ApiError} CONFLICT that says what the user still owns, and how many of each */
async function keepOwner(
  { id }: Row,
  { context }: HookCall,
  transaction: Knex.Transaction,
): Promise<void> {
  const owned = [...context.declarations.values()].flatMap(({ name, ownedBy }) =>
    ownedBy === undefined ? [] : [[name, ownedBy] as const],
  );
  const counts = owned.map(
    () => "select ?::text as resource, count(*)::int as number from ?? where ?? = ?",
  );
  const { rows }: { rows: { resource: string; number: number }[] } = await transaction.raw(
    counts.join(" union all "),
    owned.flatMap(([name, key]) => [name, name, key, id]),
  );
  const found = rows.filter(({ number }) => number > 0);
  if (found.length > 0)
    throw new ApiError("CONFLICT", [
      `the user still owns records (${found.map(({ resource, number }) => `${number} ${resource}`).join(", ")}); delete them first`,
    ]);
}

/** A person or program that acts: sees itself; an owner of the organization sees all of it, one of a suborganization all of that. */
export const user: Declaration = {
  name: "user",
  actions: ["create", "get", "update", "delete", "associate", "dissociate", "validate"],
  roles: { create: "organizationOwner" },
  fields: {
    ...identity,
    email: text({
      ...settable,
      required: true,
      nullable: false,
      check: (value) =>
        /^[^\s@]+@[^\s@]+$/.test(String(value)) ? undefined : "be an e-mail address",
      length: limits.nameLength,
    }),
    name: text({ ...settable, length: limits.nameLength }),
    city: text(settable),
    phone: text(settable),
    company: text(settable),
    role: text(settable),
    suborganization: text({ on: ["create"], length: limits.nameLength }),
    theme: object(settable),
    locale: text(settable),
    locale_id: text(settable),
    timezone_id: timeZone(settable),
    country_id: text({ ...settable, refersTo: ["country", "read"] }),
    feature_overrides: list(Type.String(), "a list of flags", settable),
    custom_metadata: customMetadata(),
    ...timestamps,
  },
  allow(query, alias, _right, { userId, organizationId, organizationRole }) {
    query.where(`${alias}.id`, userId).orWhereRaw(ownsSuborganization, [alias, userId, alias]);
    if (organizationRole === "owner")
      query.orWhereRaw(inReach, [alias, organizationId, userId, alias]);
  },
  inOrganization(query, alias, { userId, organizationId }) {
    query.whereRaw(inReach, [alias, organizationId, userId, alias]);
  },
  associations: {
    Organizations: {
      kind: "through",
      resource: "organization",
      link: organizationUser,
      ownKey: "user_id",
      otherKey: "organization_id",
      roles: ["organizationMember", "own"],
    },
    Securables: {
      kind: "through",
      resource: "securable",
      link: securableUser,
      ownKey: "user_id",
      otherKey: "securable_id",
      roles: ["organizationEditor", "own"],
    },
    Accounts: {
      kind: "through",
      resource: "account",
      link: accountUser,
      ownKey: "user_id",
      otherKey: "account_id",
    },
    Shareables: {
      kind: "through",
      resource: "account",
      link: accountUser,
      ownKey: "user_id",
      otherKey: "account_id",
      lookup: "shareable_id",
      roles: ["organizationEditor", "own"],
    },
    Plugins: {
      kind: "through",
      resource: "plugin",
      link: pluginUser,
      ownKey: "user_id",
      otherKey: "plugin_id",
      roles: ["organizationMember", "own"],
    },
    Groups: {
      kind: "through",
      resource: "group",
      link: groupUser,
      ownKey: "user_id",
      otherKey: "group_id",
      roles: ["organizationEditor", "own"],
    },
    Collections: {
      kind: "through",
      resource: "collection",
      link: collectionUser,
      ownKey: "user_id",
      otherKey: "collection_id",
      roles: ["organizationEditor", "own"],
    },
    Formulas: {
      kind: "through",
      resource: "formula",
      link: formulaUser,
      ownKey: "user_id",
      otherKey: "formula_id",
      roles: ["organizationEditor", "own"],
    },
    Integrations: {
      kind: "through",
      resource: "integration",
      link: integrationUser,
      ownKey: "user_id",
      otherKey: "integration_id",
      roles: ["organizationEditor", "own"],
    },
    Channels: {
      kind: "through",
      resource: "channel",
      link: channelUser,
      ownKey: "user_id",
      otherKey: "channel_id",
      roles: ["organizationEditor", "own"],
    },
    Thumbnails: {
      kind: "through",
      resource: "thumbnail",
      link: userThumbnail,
      ownKey: "user_id",
      otherKey: "thumbnail_id",
      roles: ["modify", "read"],
    },
    Country: { kind: "one", resource: "country", key: "country_id", roles: ["own", "read"] },
    Locale: { kind: "one", resource: "locale", key: "locale_id", roles: ["own", "read"] },
    Timezone: { kind: "one", resource: "timezone", key: "timezone_id", roles: ["own", "read"] },
  },
  hooks: {
    async beforeCreate(values, { context, principal }) {
      const [me] = await context.records.find("user", { id: principal.userId });
      const own = me?.["suborganization"] ?? null;
      const pair = { key: randomUUID(), token: createToken() };
      return { ...values, ...(own !== null && { suborganization: own }), ...pair };
    },
    async afterCreate(row, { context, principal }, transaction, { key, token }) {
      // The pair by which the new user signs in, and makes api tokens of its own.
      await context.records.insert(
        "authorization",
        {
          id: key,
          type: "login",
          user_id: row.id,
          token_hash: hashToken(String(token)),
          expiry: new Date(Date.now() + usualLifeS * 1000),
        },
        transaction,
      );
      await transaction(organizationUser.table).insert({
        organization_id: principal.organizationId,
        user_id: row.id,
      });
    },
    async beforeDelete(row, call, transaction) {
      const { principal } = call;
      const owners: string[] = await transaction("organization_user")
        .where({ organization_id: principal.organizationId, flagOwn: true })
        .forUpdate()
        .pluck("user_id");
      if (owners.length === 1 && owners[0] === row.id)
        throw new ApiError("CONFLICT", [
          "this is the last owner of the organization; make another user owner first",
        ]);
      await keepOwner(row, call, transaction);
    },
    beforeLink: (change, _call, transaction) => keepOrganizationOwned(change, transaction),
  },
  me: ({ userId }) => userId,
  shownOnce: ["key", "token"],
};
