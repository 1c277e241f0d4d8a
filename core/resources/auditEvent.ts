import Type from "typebox";
import {
  type Declaration,
  identity,
  list,
  object,
  text,
  timestamps,
  uuid,
} from "./kernel/index.ts";

/** One change that was made: who, what, which record, when. Written by the host, read by owners of the organization, never changed. */
export const auditEvent: Declaration = {
  name: "auditevent",
  actions: ["get"],
  fields: {
    ...identity,
    organization_id: uuid({ nullable: false }),
    user_id: uuid({ nullable: false }),
    authorization_id: uuid({ nullable: false }),
    request_id: text(),
    action: text({ nullable: false }),
    resource: text({ nullable: false }),
    record_id: text({ nullable: false }),
    members: list(Type.String(), "a list of texts", { nullable: false, default: () => [] }),
    target: object(),
    ...timestamps,
  },
  allow(query, alias, right, { organizationId, organizationRole }) {
    if (right !== "read" || organizationRole !== "owner") query.whereRaw("false");
    else query.where(`${alias}.organization_id`, organizationId);
  },
  associations: {},
};
