import { PluginError } from "../../protocol/index.ts";
import type { Reader } from "./openReader.ts";

/** The part of a reader that a pool uses. */
type PooledReader = Pick<Reader<never, never>, "isAlive" | "hold" | "kill" | "pid">;

export interface ReaderPoolOptions<Pooled extends PooledReader> {
  /** Name of the source, for messages. */
  readonly source: string;
  /** Starts a reader process. */
  open(): Pooled;
  /** Maximum number of processes. */
  readonly most: number;
  /** Milliseconds after which an unused process is stopped. */
  readonly idleMs: number;
  /** Maximum milliseconds to wait for a free process. */
  readonly waitMs: number;
}

/** A pool of reusable reader processes. Each process serves only one owner. */
export interface ReaderPool<Pooled extends PooledReader> {
  /**
   * Runs work on a reader process that no other work uses. A process serves only one owner, so data in its memory
   * cannot reach another owner. One owner can use at most half of the processes.
   * @throws {PluginError} PLUGIN_BUSY if no process became free in time
   */
  use<Result>(
    owner: string,
    signal: AbortSignal,
    run: (reader: Pooled) => Promise<Result>,
  ): Promise<Result>;
  /** Returns the ids of the running processes. */
  pids(): readonly number[];
  /** Stops all processes of the pool. */
  close(): Promise<void>;
}

interface Kept<Pooled> {
  readonly reader: Pooled;
  readonly owner: string;
  isUsed: boolean;
  timer?: NodeJS.Timeout;
}

interface Waiting {
  readonly owner: string;
  enter(): void;
}

/** Creates an empty pool of reader processes. */
export function openReaderPool<Pooled extends PooledReader>(
  options: ReaderPoolOptions<Pooled>,
): ReaderPool<Pooled> {
  const { source, open, most, idleMs, waitMs } = options;
  const mostOfOne = Math.max(1, Math.floor(most / 2));
  /** The readers in order of last use. The most recently used reader is last. */
  const kept: Kept<Pooled>[] = [];
  const endings = new Set<Promise<void>>();
  let waiting: Waiting[] = [];
  let isClosed = false;

  const end = (one: Kept<Pooled>): void => {
    clearTimeout(one.timer);
    const index = kept.indexOf(one);
    if (index >= 0) kept.splice(index, 1);
    const ending = one.reader.kill().finally(() => endings.delete(ending));
    endings.add(ending);
  };
  /** Returns an idle reader of the owner, or starts a new one. Undefined while all readers are in use. */
  const take = (owner: string): Kept<Pooled> | undefined => {
    for (const one of kept.filter(({ reader }) => !reader.isAlive)) if (!one.isUsed) end(one);
    const own = kept.filter((one) => one.owner === owner);
    const idle = own.findLast((one) => !one.isUsed);
    if (idle) {
      clearTimeout(idle.timer);
      idle.isUsed = true;
      return idle;
    }
    if (own.length >= mostOfOne) return undefined;
    if (kept.length >= most) {
      const other = kept.find((one) => !one.isUsed);
      if (!other) return undefined;
      end(other);
    }
    const started: Kept<Pooled> = { reader: open(), owner, isUsed: true };
    kept.push(started);
    return started;
  };
  const wakeOne = (): void => {
    const countOf = (owner: string) =>
      kept.filter((one) => one.isUsed && one.owner === owner).length;
    // The owner with the fewest readers is served next, so that a long queue of one owner does not delay another owner.
    const next = waiting.toSorted((one, other) => countOf(one.owner) - countOf(other.owner));
    for (const each of next) each.enter();
  };
  const giveBack = (one: Kept<Pooled>): void => {
    one.isUsed = false;
    one.reader.hold(false);
    if (isClosed || !one.reader.isAlive) end(one);
    else {
      kept.splice(kept.indexOf(one), 1);
      kept.push(one);
      one.timer = setTimeout(() => end(one), idleMs).unref();
    }
    wakeOne();
  };
  const enter = async (owner: string, signal: AbortSignal): Promise<Kept<Pooled>> => {
    signal.throwIfAborted();
    const taken = take(owner);
    if (taken) return taken;
    const { promise, resolve, reject } = Promise.withResolvers<Kept<Pooled>>();
    const own: Waiting = {
      owner,
      enter() {
        const found = take(owner);
        if (!found) return;
        leave();
        resolve(found);
      },
    };
    const leave = () => {
      waiting = waiting.filter((each) => each !== own);
    };
    const onAbort = () => {
      leave();
      reject(signal.reason);
    };
    const timer = setTimeout(() => {
      leave();
      reject(
        new PluginError("PLUGIN_BUSY", [
          `${source}: all readers were in use for ${waitMs} ms; try again`,
        ]),
      );
    }, waitMs);
    waiting.push(own);
    signal.addEventListener("abort", onAbort, { once: true });
    try {
      return await promise;
    } finally {
      clearTimeout(timer);
      signal.removeEventListener("abort", onAbort);
    }
  };
  return {
    async use(owner, signal, run) {
      if (isClosed)
        throw new PluginError("PLUGIN_BUSY", [`${source}: the readers were closed; try again`]);
      const one = await enter(owner, signal);
      one.reader.hold(true);
      try {
        return await run(one.reader);
      } finally {
        giveBack(one);
      }
    },
    pids: () => kept.map(({ reader }) => reader.pid),
    async close() {
      isClosed = true;
      for (const one of kept.slice()) end(one);
      await Promise.all(endings);
    },
  };
}
