import { ownsOrganization } from "../rights/allow.ts";
import {
  type Declaration,
  choice,
  flag,
  identity,
  sealedObject,
  settable,
  timestamps,
  title,
  uuid,
} from "../kernel/index.ts";
import { refuseSuborganization } from "../rights/refuseSuborganization.ts";
import { restoreSealed } from "../kernel/restoreSealed.ts";

const fields = {
  ...identity,
  name: title({ ...settable, required: true, nullable: false }),
  type: choice(["saml", "openid"], { ...settable, required: true, nullable: false }),
  config: sealedObject(settable),
  active: flag({ ...settable, nullable: false, default: false }),
  organization_id: uuid({ nullable: false }),
  ...timestamps,
};

/**
 * How the users of an organization sign in elsewhere. Kept for its owners; the host does not sign anyone in by it yet.
 */
export const ssoConfig: Declaration<typeof fields> = {
  name: "ssoconfig",
  actions: ["create", "get", "update", "delete", "validate"],
  roles: { create: "organizationOwner", update: "own" },
  fields,
  allow(query, alias, _right, principal) {
    if (!ownsOrganization(principal)) query.whereRaw("false");
    else query.where(`${alias}.organization_id`, principal.organizationId);
  },
  associations: {
    Organization: { kind: "one", resource: "organization", key: "organization_id" },
  },
  hooks: {
    async beforeCreate(values, { principal }) {
      refuseSuborganization(principal);
      return { ...values, organization_id: principal.organizationId };
    },
    async beforeUpdate(row, values) {
      return restoreSealed(row, values, "config");
    },
  },
};
