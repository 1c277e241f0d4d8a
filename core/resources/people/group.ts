import { ApiError, type ResourceRow } from "../../base/index.ts";
import { allowOrganization, flagOf } from "../rights/allow.ts";
import {
  type Declaration,
  type HookCall,
  type LinkChange,
  flag,
  identity,
  instant,
  settable,
  text,
  timestamps,
  title,
  uuid,
} from "../kernel/index.ts";
import {
  accountGroup,
  collectionGroup,
  formulaGroup,
  groupUser,
  integrationGroup,
  securableGroup,
} from "../rights/links.ts";
import type { Knex } from "knex";

function refuseOfPublic(row: ResourceRow<"group">, what: string): void {
  if (row.public === true)
    throw new ApiError("CONFLICT", [`the Public group of an organization ${what}`]);
}

/** Refuses users of a suborganization who link groups from outside of it. */
async function refuseOutside(
  group: ResourceRow<"group">,
  { principal }: HookCall,
  transaction: Knex.Transaction,
): Promise<void> {
  const me = await transaction("user").where({ id: principal.userId }).first("suborganization");
  const own: unknown = me?.suborganization ?? null;
  if (own !== null && own !== group.suborganization)
    throw new ApiError("FORBIDDEN", [
      "act outside of your suborganization, because the group is not part of it",
    ]);
}

async function checkLink(
  { action, link, own: group, values }: LinkChange<ResourceRow<"group">>,
  call: HookCall,
  transaction: Knex.Transaction,
): Promise<void> {
  if (link === groupUser)
    refuseOfPublic(group, "always contains all its users; users cannot be added or removed");
  if (link === accountGroup) refuseOfPublic(group, "cannot have connections");
  if (values["published"] === true && group.public !== true)
    throw new ApiError("MEMBER_INVALID", [
      "properties.published",
      "is only for the Public group of an organization",
    ]);
  if (action === "associate") await refuseOutside(group, call, transaction);
}

const fields = {
  ...identity,
  name: title({ description: "Name of the group.", ...settable, required: true, nullable: false }),
  public: flag({
    description:
      "Whether everyone on the host sees the group. Only the operator can set this member.",
    nullable: false,
    default: false,
  }),
  organization_id: uuid({ description: "The organization of the group.", nullable: false }),
  suborganization: text({
    description: "The part of the organization to which the group belongs.",
  }),
  deleted_at: instant({ description: "When the group was deleted. Null for groups that exist." }),
  ...timestamps,
};

/**
 * A set of users who are given rights together. The right `use` on a group means membership. Each organization has a
 * group `Public` with all its users.
 */
export const group: Declaration<typeof fields> = {
  name: "group",
  description: "Users with whom records are shared together.",
  rights:
    "Links give users rights on the group; its members can use it. Users of the organization can read and use public groups. Owners of the organization have all rights.",
  actions: ["create", "get", "update", "delete", "associate", "dissociate", "validate"],
  roles: { update: "own" },
  fields,
  allow(query, alias, right, principal) {
    const { userId, organizationId, organizationRole } = principal;
    query.whereRaw(
      "exists (select 1 from group_user l where l.group_id = ??.id and l.user_id = ? and l.??)",
      [alias, userId, right === "use" ? "flagMember" : flagOf[right]],
    );
    if (right === "read" || right === "use")
      query.orWhere({ [`${alias}.public`]: true, [`${alias}.organization_id`]: organizationId });
    if (organizationRole === "owner")
      query.orWhere((all) => allowOrganization(all, alias, right, principal));
  },
  associations: {
    Users: {
      kind: "through",
      resource: "user",
      link: groupUser,
      ownKey: "group_id",
      otherKey: "user_id",
      roles: ["own", "organizationEditor"],
    },
    Securables: {
      kind: "through",
      resource: "securable",
      link: securableGroup,
      ownKey: "group_id",
      otherKey: "securable_id",
      roles: ["use", "own"],
    },
    Accounts: {
      kind: "through",
      resource: "account",
      link: accountGroup,
      ownKey: "group_id",
      otherKey: "account_id",
    },
    Shareables: {
      kind: "through",
      resource: "account",
      link: accountGroup,
      ownKey: "group_id",
      otherKey: "account_id",
      lookup: "shareable_id",
      roles: ["use", "own"],
    },
    Collections: {
      kind: "through",
      resource: "collection",
      link: collectionGroup,
      ownKey: "group_id",
      otherKey: "collection_id",
      roles: ["use", "own"],
    },
    Formulas: {
      kind: "through",
      resource: "formula",
      link: formulaGroup,
      ownKey: "group_id",
      otherKey: "formula_id",
      roles: ["use", "own"],
    },
    Integrations: {
      kind: "through",
      resource: "integration",
      link: integrationGroup,
      ownKey: "group_id",
      otherKey: "integration_id",
      roles: ["use", "own"],
    },
    Organization: { kind: "one", resource: "organization", key: "organization_id" },
  },
  hooks: {
    async beforeCreate(values, { context, principal }) {
      const [me] = await context.records.find("user", { id: principal.userId });
      return {
        ...values,
        organization_id: principal.organizationId,
        suborganization: me?.suborganization ?? null,
      };
    },
    async afterCreate(row, { principal }, transaction) {
      const flags = Object.fromEntries((groupUser.flags ?? []).map((name) => [name, true]));
      await transaction(groupUser.table).insert({
        group_id: row.id,
        user_id: principal.userId,
        ...flags,
      });
    },
    async beforeUpdate(row, values) {
      refuseOfPublic(row, "cannot be renamed");
      return values;
    },
    async beforeDelete(row) {
      refuseOfPublic(row, "cannot be deleted");
    },
    beforeLink: checkLink,
  },
};
