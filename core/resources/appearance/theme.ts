import { allowOrganization } from "../rights/allow.ts";
import { randomUUID } from "node:crypto";
import {
  type Declaration,
  object,
  settable,
  text,
  textIdentity,
  timestamps,
  title,
  uuid,
} from "../kernel/index.ts";

const fields = {
  ...textIdentity(randomUUID),
  name: title({ ...settable, required: true, nullable: false }),
  theme: object({ ...settable, required: true, nullable: false }),
  organization_id: uuid(),
  suborganization: text(),
  user_id: uuid(),
  ...timestamps,
};

/** The look of dashboards. Built-in themes cannot be changed; other themes belong to the organization. */
export const theme: Declaration<typeof fields> = {
  name: "theme",
  actions: ["create", "get", "update", "delete", "validate"],
  fields,
  allow(query, alias, right, principal) {
    const { userId, organizationRole } = principal;
    const isReading = right === "read" || right === "use";
    if (isReading) query.whereNull(`${alias}.organization_id`);
    query.orWhere((own) => {
      allowOrganization(own, alias, right, principal);
      if (!isReading && organizationRole !== "owner") own.where(`${alias}.user_id`, userId);
    });
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
  },
};
