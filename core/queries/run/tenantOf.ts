import type { Principal } from "../../base/index.ts";
import type { Tenant } from "../../../plugins/protocol/index.ts";

/**
 * Returns the tenant of a principal: the organization and user that share the machine. Scheduled work of a user is a
 * tenant of its own, which comes after all people.
 */
export function tenantOf({ organizationId, userId }: Principal, isBackground = false): Tenant {
  return { organization: organizationId, user: userId, ...(isBackground && { isBackground }) };
}
