import PQueue from "p-queue";
import type { Tenant } from "../../../plugins/protocol/index.ts";

/** Runs a task when it is the tenant's turn for it. */
export type InTenantQueue = <Result>(tenant: Tenant, run: () => Promise<Result>) => Promise<Result>;

/** Makes a queue for each tenant that asks something, with so many tasks at a time; those of one tenant never wait for another's. */
export function createTenantQueues(concurrency: number): InTenantQueue {
  const queues = new Map<string, PQueue>();
  return async ({ organization, user }, run) => {
    const key = JSON.stringify([organization, user]);
    const queue = queues.get(key) ?? new PQueue({ concurrency });
    queues.set(key, queue);
    try {
      return await queue.add(run);
    } finally {
      if (queue.size === 0 && queue.pending === 0) queues.delete(key);
    }
  };
}
