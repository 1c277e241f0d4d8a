import type { Tenant } from "../../../plugins/protocol/index.ts";
import { createPlaces, type Places } from "./createPlaces.ts";

/**
 * Limits each tenant to `concurrency` tasks at a time. Tenants never wait for each other here, and a user's scheduled
 * work is a separate tenant, so it does not count against the user's limit.
 */
export function createTenantLimit(
  concurrency: number,
): <Result>(tenant: Tenant, run: () => Promise<Result>) => Promise<Result> {
  const placesByTenant = new Map<string, Places>();
  return async ({ organization, user, isBackground }, run) => {
    const key = JSON.stringify([organization, user, isBackground === true]);
    const places = placesByTenant.get(key) ?? createPlaces(concurrency);
    placesByTenant.set(key, places);
    try {
      return await places.run(run);
    } finally {
      if (places.isIdle) placesByTenant.delete(key);
    }
  };
}
