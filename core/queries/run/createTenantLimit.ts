import PQueue from "p-queue";
import type { Tenant } from "../../../plugins/protocol/index.ts";

/**
 * Creates a limit of `concurrency` tasks at a time for each tenant. Tenants share nothing here, so they never wait for
 * each other, and scheduled work of a user takes none of the user's places.
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
