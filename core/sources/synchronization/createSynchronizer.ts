import PQueue from "p-queue";
import type { Log } from "../../catalog/index.ts";
import { ApiError } from "../../base/index.ts";
import { PluginError } from "../../../plugins/protocol/index.ts";
import { measureDataset, type MeasureContext } from "./measureDataset.ts";

/** Measures datasets in the background, one at a time, so that people's queries come first. */
export interface Synchronizer {
  /** Queues a dataset for measuring. A dataset that is already in the queue is measured only once. */
  measureLater(datasetId: string): void;
  /** Resolves when no dataset is waiting or being measured. */
  idle(): Promise<void>;
  /** Cancels the current query and clears the queue. */
  close(): Promise<void>;
}

/** Maximum number of waiting datasets. Further datasets are measured after their next synchronization. */
const mostWaiting = 10_000;

export function createSynchronizer(
  context: MeasureContext & { readonly log: Pick<Log, "warn" | "info"> },
): Synchronizer {
  const { log } = context;
  const queue = new PQueue({ concurrency: 1 });
  const waiting = new Set<string>();
  const closing = new AbortController();
  const measure = async (datasetId: string): Promise<void> => {
    waiting.delete(datasetId);
    try {
      await measureDataset(datasetId, context, closing.signal);
    } catch (failure) {
      if (closing.signal.aborted) return;
      const isRefused = failure instanceof PluginError || failure instanceof ApiError;
      log[isRefused ? "info" : "warn"](
        { err: failure, datasetId },
        "a dataset could not be measured",
      );
    }
  };
  return {
    measureLater(datasetId) {
      if (closing.signal.aborted || waiting.has(datasetId) || waiting.size >= mostWaiting) return;
      waiting.add(datasetId);
      void queue.add(() => measure(datasetId));
    },
    idle: () => queue.onIdle(),
    async close() {
      closing.abort();
      queue.clear();
      await queue.onIdle();
    },
  };
}
