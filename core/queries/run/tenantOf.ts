import type { Principal } from "../../contracts/index.ts";
import type { Tenant } from "../../../plugins/protocol/index.ts";

/** For whom the calls of a principal use the machine. */
export function tenantOf({ organizationId, userId }: Principal): Tenant {
  return { organization: organizationId, user: userId };
}
