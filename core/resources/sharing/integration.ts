import { ApiError } from "../../base/index.ts";
import { allowShared } from "../rights/allow.ts";
import {
  type Declaration,
  type LinkChange,
  identity,
  settable,
  timestamps,
  title,
  uuid,
} from "../kernel/index.ts";
import { integrationGroup, integrationUser, securableIntegration } from "../rights/links.ts";
import type { Knex } from "knex";

/** Refuses a list of owners of an integration if none of them owns the organization. */
async function expectOrganizationOwner(ids: readonly string[], knex: Knex): Promise<void> {
  const owner = await knex("organization_user")
    .where("flagOwn", true)
    .whereIn("user_id", ids)
    .first("user_id");
  if (!owner)
    throw new ApiError("CONFLICT", ["only owners of the organization can own an integration"]);
}

async function refuseOtherOwners(
  { action, link, own, other, values }: LinkChange,
  transaction: Knex.Transaction,
): Promise<void> {
  if (action === "dissociate" || link !== integrationUser || values["flagOwn"] !== true) return;
  await expectOrganizationOwner([own.id, other.id], transaction);
}

const fields = {
  ...identity,
  name: title({
    description: "Name of the integration.",
    ...settable,
    required: true,
    nullable: false,
  }),
  organization_id: uuid({ description: "The organization of the integration.", nullable: false }),
  user_id: uuid({ description: "The user who created the integration.", nullable: false }),
  ...timestamps,
};

/**
 * A place where dashboards are embedded. Its users and groups have the rights that the integration has on datasets and
 * dashboards.
 */
export const integration: Declaration<typeof fields> = {
  name: "integration",
  description:
    "A set of datasets and dashboards that an application embeds. Tokens of type `sso` name an integration and show what belongs to it.",
  rights: "Its owner has all rights, and links give rights to users and groups.",
  actions: ["create", "get", "update", "delete", "associate", "dissociate", "validate"],
  roles: { create: "organizationOwner", update: "own" },
  ownedBy: "user_id",
  fields,
  allow: allowShared({
    ownerKey: "user_id",
    recordKey: "integration_id",
    users: integrationUser,
    groups: integrationGroup,
  }),
  associations: {
    Securables: {
      kind: "through",
      resource: "securable",
      link: securableIntegration,
      ownKey: "integration_id",
      otherKey: "securable_id",
      roles: ["own", "own"],
    },
    Users: {
      kind: "through",
      resource: "user",
      link: integrationUser,
      ownKey: "integration_id",
      otherKey: "user_id",
      roles: ["own", "organizationEditor"],
    },
    Groups: {
      kind: "through",
      resource: "group",
      link: integrationGroup,
      ownKey: "integration_id",
      otherKey: "group_id",
      roles: ["own", "use"],
    },
    Owner: { kind: "one", resource: "user", key: "user_id", roles: ["own", "organizationEditor"] },
    Organization: { kind: "one", resource: "organization", key: "organization_id" },
  },
  hooks: {
    async beforeCreate(values, { principal: { userId, organizationId } }) {
      return { ...values, user_id: userId, organization_id: organizationId };
    },
    beforeLink: (change, _call, transaction) => refuseOtherOwners(change, transaction),
    async beforeKey({ key, target }, { context }) {
      if (key === "user_id") await expectOrganizationOwner([target.id], context.knex);
    },
  },
};
