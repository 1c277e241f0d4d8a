import PQueue from "p-queue";
import type { Tenant } from "../../../plugins/protocol/index.ts";

/**
 * Limits each tenant to `concurrency` tasks at a time. Tenants never wait for each other here, and a user's scheduled
 * work is a separate tenant, so it does not count against the user's limit.
 */
export function createTenantLimit(
  concurrency: number,
): <Result>(tenant: Tenant, run: () => Promise<Result>) => Promise<Result> {
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
