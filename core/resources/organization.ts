import { ApiError } from "../errors.ts";
import {
  type Declaration,
  type LinkChange,
  customMetadata,
  identity,
  multilingual,
  timestamps,
} from "./kernel/index.ts";
import { organizationUser, pluginOrganization } from "./links.ts";
import type { Knex } from "knex";

/** Refuses to leave an organization without an owner, or a user without an organization. */
export async function keepOrganizationOwned(
  { action, link, own, other, values }: LinkChange,
  transaction: Knex.Transaction,
): Promise<void> {
  if (link !== organizationUser) return;
  if (action === "dissociate")
    throw new ApiError("CONFLICT", [
      "a user belongs to exactly one organization; delete the user instead",
    ]);
  if (values["flagOwn"] === true) return;
  const owners: string[] = await transaction("organization_user")
    .where("flagOwn", true)
    .whereIn("organization_id", [own.id, other.id])
    .forUpdate()
    .pluck("user_id");
  if (owners.length === 1 && (owners[0] === own.id || owners[0] === other.id))
    throw new ApiError("CONFLICT", [
      "this is the last owner of the organization; make another user owner first",
    ]);
}

/** The tenant: users belong to exactly one. Made at the first start, not by a call. */
export const organization: Declaration = {
  name: "organization",
  actions: ["get", "update", "associate", "dissociate", "validate"],
  fields: {
    ...identity,
    name: multilingual({ on: ["update"], nullable: false }),
    custom_metadata: customMetadata(),
    ...timestamps,
  },
  allow(query, alias, right, { organizationId, organizationRole }) {
    query.where(`${alias}.id`, organizationId);
    if ((right === "modify" || right === "own") && organizationRole !== "owner")
      query.whereRaw("false");
  },
  inOrganization(query, alias, { organizationId }) {
    query.where(`${alias}.id`, organizationId);
  },
  associations: {
    Users: {
      kind: "through",
      resource: "user",
      link: organizationUser,
      ownKey: "organization_id",
      otherKey: "user_id",
      roles: ["own", "organizationMember"],
    },
    Plugins: {
      kind: "through",
      resource: "plugin",
      link: pluginOrganization,
      ownKey: "organization_id",
      otherKey: "plugin_id",
      roles: ["organizationMember", "own"],
    },
  },
  withoutRecords: {
    Groups: "many",
    Country: "one",
    Locale: "one",
    Thumbnails: "many",
    Themes: "many",
  },
  hooks: {
    beforeLink: (change, _call, transaction) => keepOrganizationOwned(change, transaction),
  },
};
