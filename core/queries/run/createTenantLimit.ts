import { ApiError } from "../../base/index.ts";
import type { Tenant } from "../../../plugins/protocol/index.ts";
import { createPlaces, type Places } from "./createPlaces.ts";

/** Limits each tenant to a number of tasks at a time, and to a short queue of further tasks. */
export interface TenantLimit {
  /**
   * Refuses a call of a tenant whose queue is too long. Scheduled work is never refused.
   * @throws {ApiError} HOST_BUSY
   */
  admit(tenant: Tenant): void;
  /** Runs a task when the tenant has a free place. Tasks of one tenant start in the order of the calls. */
  run<Result>(tenant: Tenant, task: () => Promise<Result>): Promise<Result>;
}

export interface TenantLimits {
  /** Maximum number of tasks of a tenant that run at the same time. */
  readonly concurrency: number;
  /** Number of tasks that may wait, however slowly the queue moves. */
  readonly queueLength: number;
  /** Maximum number of tasks that may wait while the queue moves quickly. */
  readonly burstLength: number;
  /**
   * Milliseconds within which the first task of the queue must start. If it has waited longer, the queue may have only
   * `queueLength` tasks.
   */
  readonly queueMs: number;
  /** A monotonic clock in milliseconds, for tests. */
  readonly now?: () => number;
}

/**
 * Creates the limits of all tenants. Tenants never wait for each other here, and a user's scheduled work is a separate
 * tenant, so it does not count against the user's limit. A queue that moves quickly may be long, because callers would
 * rather wait for a moment than repeat their calls. A queue that moves slowly stays short, because its callers would
 * give up before their turn.
 */
export function createTenantLimit(limits: TenantLimits): TenantLimit {
  const { concurrency, queueLength, burstLength, queueMs, now } = limits;
  const placesByTenant = new Map<string, Places>();
  return {
    admit(tenant) {
      if (tenant.isBackground) return;
      const { waitingCount, waitedMs } = placesByTenant.get(keyOf(tenant)) ?? noQueue;
      const isOpen = waitingCount < (waitedMs > queueMs ? queueLength : burstLength);
      if (isOpen) return;
      throw new ApiError(
        "HOST_BUSY",
        [`${waitingCount + concurrency} other queries of this user`],
        {
          retryAfterS: Math.max(1, Math.ceil(waitedMs / 1000)),
        },
      );
    },
    async run(tenant, task) {
      const key = keyOf(tenant);
      const places = placesByTenant.get(key) ?? createPlaces(concurrency, now);
      placesByTenant.set(key, places);
      try {
        return await places.run(task);
      } finally {
        if (places.isIdle) placesByTenant.delete(key);
      }
    },
  };
}

const noQueue: Pick<Places, "waitingCount" | "waitedMs"> = { waitingCount: 0, waitedMs: 0 };

function keyOf({ organization, user, isBackground }: Tenant): string {
  return `${isBackground === true} ${organization.length} ${organization} ${user}`;
}
