import PQueue from "p-queue";
import type { Tenant } from "../../../plugins/protocol/index.ts";

/** Runs a task in its tenant's queue. */
export type InTenantQueue = <Result>(tenant: Tenant, run: () => Promise<Result>) => Promise<Result>;

/**
 * Makes a queue per tenant with at most `concurrency` tasks at a time. Tenants never wait for each
 * other, and scheduled work of a user takes none of the user's places.
 */
export function createTenantQueues(concurrency: number): InTenantQueue {
  const queues = new Map<string, PQueue>();
  return async ({ organization, user, isBackground }, run) => {
    const key = JSON.stringify([organization, user, isBackground === true]);
    const queue = queues.get(key) ?? new PQueue({ concurrency });
    queues.set(key, queue);
    try {
      return await queue.add(run);
    } finally {
      if (queue.size === 0 && queue.pending === 0) queues.delete(key);
    }
  };
}
