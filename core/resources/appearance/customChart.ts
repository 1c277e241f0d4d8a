import { allowOrganization } from "../rights/allow.ts";
import {
  type Declaration,
  identity,
  limits,
  object,
  settable,
  text,
  timestamps,
  title,
  uuid,
} from "../kernel/index.ts";
import { addChartVersion } from "./addChartVersion.ts";

const fields = {
  ...identity,
  name: title({ ...settable, required: true, nullable: false }),
  type: text({
    ...settable,
    required: true,
    nullable: false,
    check: (value) =>
      /^[a-z0-9-]{1,32}$/.test(String(value))
        ? undefined
        : "be 1 to 32 small letters, digits and hyphens, like flow-map",
  }),
  script: text({
    ...settable,
    required: true,
    nullable: false,
    length: limits.scriptLength,
    onRequest: true,
  }),
  slots_config: object(settable),
  organization_id: uuid({ nullable: false }),
  suborganization: text(),
  user_id: uuid(),
  ...timestamps,
};

/** A chart of the organization's own: a script that draws the rows of an item in a frame that reaches nothing. */
export const customChart: Declaration<typeof fields> = {
  name: "customchart",
  actions: ["create", "get", "update", "delete", "validate"],
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
    Organization: { kind: "one", resource: "organization", key: "organization_id" },
  },
  hooks: {
    async beforeCreate(values, { principal: { userId, organizationId, suborganization } }) {
      return {
        ...values,
        user_id: userId,
        organization_id: organizationId,
        suborganization: suborganization ?? null,
      };
    },
    async afterCreate(row, { principal }, transaction) {
      await addChartVersion(row.id, principal.userId, transaction);
    },
    async afterUpdate(row, _values, { principal }, transaction) {
      await addChartVersion(row.id, principal.userId, transaction);
    },
  },
};
