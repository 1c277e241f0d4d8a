import type { Tenant } from "../types.ts";

/** Whose the store's own work is, and queries that nobody is named for. */
export const noTenant: Tenant = { organization: "", user: "" };
