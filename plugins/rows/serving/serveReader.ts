import { writeFileSync } from "node:fs";
import { setPriority } from "node:os";
import { Worker } from "node:worker_threads";
import {
  itemsAhead,
  memorySignal,
  memoryVariable,
  type FromReader,
  type ToReader,
} from "./messages.ts";
import { openBulk } from "./openBulk.ts";
import { sentFailure, suppliedFailure } from "./sentFailure.ts";

/** A call of the host, as a reader sees it. */
export interface ServedCall<Item, Need = never, Supply = never> {
  /** Aborted when the host does not want any more items. */
  readonly signal: AbortSignal;
  /**
   * Sends an item. The promise resolves when the host accepts more items.
   * @throws the reason of `signal` if the host does not want any more items
   */
  send(item: Item): Promise<void>;
  /** Requests data that only the host can fetch. */
  need(need: Need): Promise<Supply>;
}

/** Carries out a request, and sends each item of the answer as soon as it is ready. */
export type ServeCall<Request, Item, Need, Supply> = (
  request: Request,
  call: ServedCall<Item, Need, Supply>,
) => Promise<void>;

interface Running<Supply> {
  readonly stop: AbortController;
  readonly waiting: Map<number, PromiseWithResolvers<Supply>>;
  allowedCount: number;
  wake(): void;
}

/**
 * The priority of a reader. With this niceness, a reader gets a third of a processor while the host is busy; with 10,
 * it would get only a tenth.
 */
const niceness = 5;
/** Milliseconds between two memory checks during a call. */
const watchMs = 10;
/** Milliseconds between two memory checks of an idle process. Checking every 10 ms would take 1% of a processor. */
const idleWatchMs = 1000;

/**
 * Serves the host's calls in this process. The process stops when the host stops, or when it exceeds its memory limit.
 * It has a lower priority than the host's threads. Must be called once, by the module that `openReader` starts.
 */
export function serveReader<Request, Item, Need = never, Supply = never>(
  serve: ServeCall<Request, Item, Need, Supply>,
): void {
  const watch = startWatch();
  const bulk = openBulk();
  const running = new Map<number, Running<Supply>>();
  const run = async (id: number, request: Request): Promise<void> => {
    const own: Running<Supply> = {
      stop: new AbortController(),
      waiting: new Map(),
      allowedCount: itemsAhead,
      wake: () => {},
    };
    running.set(id, own);
    watch(running.size);
    const { signal } = own.stop;
    let nextNeed = 0;
    const need = async (needed: Need): Promise<Supply> => {
      signal.throwIfAborted();
      const needId = nextNeed++;
      const answer = Promise.withResolvers<Supply>();
      own.waiting.set(needId, answer);
      await send<Need>({ kind: "need", id, needId, need: needed });
      return answer.promise;
    };
    const sendItem = async (item: Item): Promise<void> => {
      while (own.allowedCount === 0 && !signal.aborted)
        await new Promise<void>((resolve) => (own.wake = resolve));
      signal.throwIfAborted();
      own.allowedCount--;
      await send<Need>({ kind: "item", id, ...bulk.pack(id, item) });
    };
    try {
      await serve(request, { signal, need, send: sendItem });
      await send<Need>({ kind: "end", id });
    } catch (thrown) {
      await send<Need>({ kind: "failed", id, failure: sentFailure(thrown) });
    } finally {
      running.delete(id);
      watch(running.size);
    }
  };
  process.on("message", (message: ToReader<Request, Supply>) => {
    if (message.kind === "call") {
      void run(message.id, message.request);
      return;
    }
    if (message.kind === "more") bulk.free(message.id);
    if (message.kind === "stop") bulk.freeAll(message.id);
    const own = running.get(message.id);
    if (!own) return;
    switch (message.kind) {
      case "more":
        own.allowedCount++;
        own.wake();
        return;
      case "stop": {
        own.stop.abort();
        for (const { reject } of own.waiting.values()) reject(own.stop.signal.reason);
        own.wake();
        return;
      }
      case "supply": {
        const answer = own.waiting.get(message.needId);
        own.waiting.delete(message.needId);
        if (message.failure) answer?.reject(suppliedFailure(message.failure));
        else if (message.supply !== undefined) answer?.resolve(message.supply);
        return;
      }
    }
  });
  process.on("disconnect", () => process.exit());
}

function send<Need>(message: FromReader<Need>): Promise<void> {
  return new Promise((resolve, reject) => {
    process.send?.(message, undefined, undefined, (failure) =>
      failure ? reject(failure) : resolve(),
    );
  });
}

/**
 * Starts a thread that watches the memory of this process and whether the host is running, even while a parser keeps
 * the main thread busy. The caller must pass the number of running calls to the returned function whenever it changes.
 */
function startWatch(): (runningCount: number) => void {
  const memoryBytes = Number(process.env[memoryVariable] ?? Infinity);
  const counts = new Int32Array(new SharedArrayBuffer(Int32Array.BYTES_PER_ELEMENT));
  const script = `import { workerData as counts } from "node:worker_threads";
    const never = new Int32Array(new SharedArrayBuffer(counts.byteLength));
    const parent = ${process.ppid};
    for (;;) {
      if (process.memoryUsage.rss() > ${memoryBytes}) process.kill(process.pid, "${memorySignal}");
      if (process.ppid !== parent) process.kill(process.pid, "SIGKILL");
      Atomics.wait(counts, 0, 0, ${idleWatchMs - watchMs});
      Atomics.wait(never, 0, 0, ${watchMs});
    }`;
  new Worker(new URL(`data:text/javascript,${encodeURIComponent(script)}`), {
    workerData: counts,
    resourceLimits: { maxOldGenerationSizeMb: 8 },
  }).unref();
  setPriority(niceness);
  try {
    if (process.platform === "linux") writeFileSync("/proc/self/oom_score_adj", "1000");
  } catch {
    // A container may forbid changing the score. The memory limit applies even then.
  }
  return (runningCount) => {
    Atomics.store(counts, 0, runningCount);
    Atomics.notify(counts, 0);
  };
}
