import { reference } from "../../base/index.ts";
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
  organization_id: uuid({
    description: "The organization in which the event happened.",
    nullable: false,
  }),
  user_id: uuid({ description: "The user who acted.", nullable: false }),
  authorization_id: uuid({ description: "The token with which the user acted.", nullable: false }),
  request_id: text({ description: "Id of the call." }),
  action: text({ description: "The action, such as `create`.", nullable: false }),
  resource: text({ description: "The resource of the record.", nullable: false }),
  record_id: text({ description: "The record to which the action applied.", nullable: false }),
  members: list(Type.String(), "a list of strings", {
    description: "Names of the members that were set.",
    nullable: false,
    default: () => [],
  }),
  target: object({
    description: "The other record of an association.",
    described: { given: reference("AuditTarget") },
  }),
  address: text({ description: "The address from which the call came." }),
  times: number({
    description: "How often the event happened, if equal events were counted together.",
    nullable: false,
    default: 1,
  }),
  digest: text({ description: "Digest of the values that were set." }),
  place: number({ description: "Position of the event in the organization's chain." }),
  hash: text({ description: "Hash of the event and of the hash before it." }),
  ...timestamps,
};

/**
 * One change: who changed which record, how and when. The host writes events and never changes them. Owners of the
 * organization can read all events; owners inside a suborganization can read the events of its users.
 */
export const auditEvent: Declaration<typeof fields> = {
  name: "auditevent",
  description:
    "A change of a record, a sign-in or another event that concerns security. The events form a chain in which the host notices removed and changed events.",
  rights:
    "Owners of the organization can read all its events. Owners of a suborganization can read the events of its users.",
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
