import { randomUUID } from "node:crypto";
import {
  type Declaration,
  object,
  settable,
  textIdentity,
  timestamps,
  title,
  uuid,
} from "./kernel/index.ts";

/** The look of dashboards: the built-in ones, which nobody changes, and those of the organization. */
export const theme: Declaration = {
  name: "theme",
  actions: ["create", "get", "update", "delete", "validate"],
  fields: {
    ...textIdentity(randomUUID),
    name: title({ ...settable, required: true, nullable: false }),
    theme: object({ ...settable, required: true, nullable: false }),
    organization_id: uuid(),
    user_id: uuid(),
    ...timestamps,
  },
  allow(query, alias, right, { userId, organizationId, organizationRole }) {
    if (right === "read" || right === "use")
      query.where((seen) =>
        seen
          .whereNull(`${alias}.organization_id`)
          .orWhere(`${alias}.organization_id`, organizationId),
      );
    else {
      query.where(`${alias}.organization_id`, organizationId);
      if (organizationRole !== "owner") query.where(`${alias}.user_id`, userId);
    }
  },
  associations: {
    Organization: { kind: "one", resource: "organization", key: "organization_id" },
  },
  hooks: {
    async beforeCreate(values, { principal: { userId, organizationId } }) {
      return { ...values, user_id: userId, organization_id: organizationId };
    },
  },
};
