import PQueue from "p-queue";
import type { Connection } from "../../base/index.ts";

const queuesOf = new WeakMap<Connection, Map<string, PQueue>>();

/**
 * Runs changes to the rows of a dataset one after another, in the order of the calls. No catalog connection is held
 * while a change waits or works. Changes to other datasets run in parallel.
 */
export async function inTurn<Result>(
  store: Connection,
  datasetId: string,
  run: () => Promise<Result>,
): Promise<Result> {
  const queues = queuesOf.get(store) ?? new Map<string, PQueue>();
  queuesOf.set(store, queues);
  const queue = queues.get(datasetId) ?? new PQueue({ concurrency: 1 });
  queues.set(datasetId, queue);
  try {
    return await queue.add(run);
  } finally {
    if (queue.size === 0 && queue.pending === 0) queues.delete(datasetId);
  }
}
