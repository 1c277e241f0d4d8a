import PQueue from "p-queue";
import type { Log } from "../../catalog/index.ts";
import { ApiError } from "../../base/index.ts";
import { PluginError } from "../../../plugins/protocol/index.ts";
import { measureDataset, type MeasureContext } from "./measureDataset.ts";

/** Measures datasets in the background: one at a time, so that queries of people come first. */
export interface Synchronizer {
  /** Has a dataset measured; one that waits already is measured once. */
  measureLater(datasetId: string): void;
  /** Resolves when nothing waits. */
  idle(): Promise<void>;
  /** Ends the query under way and forgets what waits. */
  close(): Promise<void>;
}

/** Datasets that wait at most; more are measured at their next synchronization. */
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
      log[isRefused ? "info" : "warn"]({ err: failure, datasetId }, "a dataset was not measured");
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
