import { allowOrganization } from "../rights/allow.ts";
import {
  type Declaration,
  identity,
  limits,
  settable,
  text,
  timestamps,
  uuid,
} from "../kernel/index.ts";
import { securableTag } from "../rights/links.ts";

const fields = {
  ...identity,
  tag: text({
    description: "The tag.",
    ...settable,
    required: true,
    nullable: false,
    length: limits.indexedLength,
    check: (value) => (String(value).trim() === "" ? "be a non-empty string" : undefined),
  }),
  organization_id: uuid({ description: "The organization of the tag.", nullable: false }),
  suborganization: text({ description: "The part of the organization to which the tag belongs." }),
  user_id: uuid({ description: "The user who created the tag." }),
  ...timestamps,
};

/**
 * A word attached to datasets and dashboards. All users of the organization share its tags, and two tags may have the
 * same word.
 */
export const tag: Declaration<typeof fields> = {
  name: "tag",
  description: "A word by which people find datasets and dashboards.",
  rights:
    "Users of the organization can read and use it. Its creator and owners of the organization have all rights.",
  actions: ["create", "get", "update", "delete", "associate", "dissociate", "validate"],
  fields,
  allow(query, alias, right, principal) {
    allowOrganization(query, alias, right, principal);
    if (right === "read" || right === "use" || principal.organizationRole === "owner") return;
    query.where(`${alias}.user_id`, principal.userId);
  },
  inOrganization(query, alias, principal) {
    allowOrganization(query, alias, "read", principal);
  },
  associations: {
    Securables: {
      kind: "through",
      resource: "securable",
      link: securableTag,
      ownKey: "tag_id",
      otherKey: "securable_id",
      roles: ["organizationMember", "modify"],
    },
  },
  hooks: {
    async beforeCreate(values, { context, principal: { userId, organizationId } }) {
      const [me] = await context.records.find("user", { id: userId });
      return {
        ...values,
        organization_id: organizationId,
        suborganization: me?.suborganization ?? null,
        user_id: userId,
      };
    },
  },
};
