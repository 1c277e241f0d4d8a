import { ownsOrganization } from "../rights/allow.ts";
import Type from "typebox";
import { stampEvent } from "../../catalog/index.ts";
import {
  type Declaration,
  identity,
  list,
  number,
  object,
  text,
  timestamps,
  uuid,
} from "../kernel/index.ts";

const fields = {
  ...identity,
  organization_id: uuid({ nullable: false }),
  user_id: uuid({ nullable: false }),
  authorization_id: uuid({ nullable: false }),
  request_id: text(),
  action: text({ nullable: false }),
  resource: text({ nullable: false }),
  record_id: text({ nullable: false }),
  members: list(Type.String(), "a list of strings", { nullable: false, default: () => [] }),
  target: object(),
  address: text(),
  times: number({ nullable: false, default: 1 }),
  digest: text(),
  place: number(),
  hash: text(),
  ...timestamps,
};

/**
 * One change: who changed which record, how and when. The host writes events and never changes them. Owners of the
 * organization can read them; owners inside a suborganization can read those of its users.
 */
export const auditEvent: Declaration<typeof fields> = {
  name: "auditevent",
  actions: ["get"],
  fields,
  stamp: stampEvent,
  allow(query, alias, right, principal) {
    const { organizationId, organizationRole, suborganization } = principal;
    if (right !== "read" || organizationRole !== "owner") query.whereRaw("false");
    else query.where(`${alias}.organization_id`, organizationId);
    if (!ownsOrganization(principal))
      query.whereRaw(
        'exists (select 1 from "user" u where u.id = ??.user_id and u.suborganization = ?)',
        [alias, suborganization ?? null],
      );
  },
  associations: {},
};
