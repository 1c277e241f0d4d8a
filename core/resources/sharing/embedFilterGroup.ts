import { ownsOrganization } from "../rights/allow.ts";
import { ApiError } from "../../base/index.ts";
import { type Declaration, identity, timestamps, uuid } from "../kernel/index.ts";
import { embedFilterGroupSecurable } from "../rights/links.ts";
import { refuseSuborganization } from "../rights/refuseSuborganization.ts";

const fields = {
  ...identity,
  organization_id: uuid({ description: "The organization of the group.", nullable: false }),
  ...timestamps,
};

/** Row filters that apply to every embed token of an organization. An organization has at most one filter group. */
export const embedFilterGroup: Declaration<typeof fields> = {
  name: "embedfiltergroup",
  description:
    "Row filters that apply to every embed token of the organization. An organization has at most one filter group.",
  rights: "Owners of the whole organization have all rights. Nobody else can see it.",
  actions: ["create", "get", "delete", "associate", "dissociate", "validate"],
  roles: { create: "organizationOwner" },
  fields,
  allow(query, alias, _right, principal) {
    if (!ownsOrganization(principal)) query.whereRaw("false");
    else query.where(`${alias}.organization_id`, principal.organizationId);
  },
  associations: {
    Securables: {
      kind: "through",
      resource: "securable",
      link: embedFilterGroupSecurable,
      ownKey: "embedfiltergroup_id",
      otherKey: "securable_id",
      roles: ["own", "read"],
    },
  },
  hooks: {
    async beforeCreate(values, { context, principal }) {
      refuseSuborganization(principal);
      const { organizationId: organization_id } = principal;
      const [present] = await context.records.find("embedfiltergroup", { organization_id });
      if (present)
        throw new ApiError("CONFLICT", [
          `Only one EmbedFilterGroup allowed: associate datasets with the existing one, ${present.id}`,
        ]);
      return { ...values, organization_id };
    },
    async beforeLink({ action, values, path }) {
      if (action === "dissociate") return;
      const given = values["filters"];
      if (!Array.isArray(given) || given.length === 0)
        throw new ApiError("MEMBER_MISSING", [`${path}.filters`, "a list of at least one filter"]);
    },
  },
};
