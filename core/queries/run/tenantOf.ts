import type { Principal } from "../../base/index.ts";
import type { Tenant } from "../../../plugins/protocol/index.ts";

/**
 * Returns the tenant of a principal: the organization and user whose share of the machine a query uses. Scheduled
 * work of a user is a separate tenant, which runs after people's queries.
 */
export function tenantOf({ organizationId, userId }: Principal, isBackground = false): Tenant {
  return { organization: organizationId, user: userId, ...(isBackground && { isBackground }) };
}
