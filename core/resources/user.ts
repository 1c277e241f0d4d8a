import { ApiError } from "../errors.ts";
import {
  type Declaration,
  customMetadata,
  identity,
  object,
  settable,
  text,
  timestamps,
} from "./kernel/index.ts";
import { accountUser, organizationUser, pluginUser, securableUser } from "./links.ts";
import { keepOrganizationOwned } from "./organization.ts";

/** A person or program that acts: sees itself; the organization's owner sees all of the organization. */
export const user: Declaration = {
  name: "user",
  actions: ["create", "get", "update", "delete", "associate", "dissociate", "validate"],
  fields: {
    ...identity,
    email: text({
      ...settable,
      required: true,
      nullable: false,
      check: (value) =>
        /^[^\s@]+@[^\s@]+$/.test(String(value)) ? undefined : "be an e-mail address",
    }),
    name: text(settable),
    city: text(settable),
    phone: text(settable),
    company: text(settable),
    role: text(settable),
    suborganization: text({ on: ["create"] }),
    theme: object(settable),
    locale: text(settable),
    locale_id: text(settable),
    timezone_id: text(settable),
    custom_metadata: customMetadata(),
    ...timestamps,
  },
  allow(query, alias, _right, { userId, organizationId, organizationRole }) {
    query.where(`${alias}.id`, userId);
    if (organizationRole === "owner")
      query.orWhereRaw(
        "exists (select 1 from organization_user l where l.user_id = ??.id and l.organization_id = ?)",
        [alias, organizationId],
      );
  },
  inOrganization(query, alias, { organizationId }) {
    query.whereRaw(
      "exists (select 1 from organization_user l where l.user_id = ??.id and l.organization_id = ?)",
      [alias, organizationId],
    );
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
  },
  withoutRecords: {
    Groups: "many",
    Integrations: "many",
    Country: "one",
    Locale: "one",
    Thumbnails: "many",
  },
  hooks: {
    async beforeCreate(values, { principal }) {
      if (principal.organizationRole !== "owner")
        throw new ApiError("FORBIDDEN", ["act as owner of the organization"]);
      return values;
    },
    async afterCreate(row, { principal }, transaction) {
      await transaction(organizationUser.table).insert({
        organization_id: principal.organizationId,
        user_id: row.id,
      });
    },
    async beforeDelete(row, { principal }, transaction) {
      const owners: string[] = await transaction("organization_user")
        .where({ organization_id: principal.organizationId, flagOwn: true })
        .forUpdate()
        .pluck("user_id");
      if (owners.length === 1 && owners[0] === row.id)
        throw new ApiError("CONFLICT", [
          "this is the last owner of the organization; make another user owner first",
        ]);
      const owned = { securable: "owner_id", account: "user_id", plugin: "user_id" };
      for (const [table, key] of Object.entries(owned)) {
        const found = await transaction(table).where(key, row.id).first("id");
        if (found)
          throw new ApiError("CONFLICT", [
            `the user still owns records (${table}); delete them first`,
          ]);
      }
    },
    beforeLink: (change, _call, transaction) => keepOrganizationOwned(change, transaction),
  },
  me: ({ userId }) => userId,
};
