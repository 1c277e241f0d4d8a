import type { Principal } from "../../contracts/index.ts";
import type { Tenant } from "../../../plugins/protocol/index.ts";

/** Returns the tenant of a principal: the organization and user that share the machine. */
export function tenantOf({ organizationId, userId }: Principal): Tenant {
  return { organization: organizationId, user: userId };
}
