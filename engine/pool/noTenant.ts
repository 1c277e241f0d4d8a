import type { Tenant } from "../fair/index.ts";

/** The tenant of the store's own work, and of queries without a tenant. */
export const noTenant: Tenant = { organization: "", user: "" };
