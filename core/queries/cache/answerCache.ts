import { compactBatch, sizeOfBatch } from "./compactBatch.ts";
import { createSharedRuns } from "./createSharedRuns.ts";
import type { TracedRun } from "../run/traceRun.ts";

/** The key of an answer. Two queries with equal keys have the same answer. */
export interface AnswerKey {
  readonly text: string;
  /** Milliseconds until the answer expires; Infinity if the key changes whenever the rows change. */
  readonly maxAgeMs: number;
}

/**
 * Where an answer came from. `shared` means that another caller's run was already in progress; `off` means that nothing
 * is cached.
 */
export type CacheState = "off" | "miss" | "shared" | "hit";

export interface CachedAnswer {
  readonly answer: TracedRun;
  readonly state: CacheState;
  /** Milliseconds since the source was queried. */
  readonly ageMs: number;
}

export interface AnswerCache {
  /**
   * Returns a cached answer, or calls `run`. Equal concurrent queries share one run (single flight). A caller whose
   * `signal` aborts leaves the run to the other callers. The run is aborted when its last caller leaves. Without a key,
   * nothing is cached or shared. If `run` fails, every waiting caller gets the failure, which is not cached.
   */
  answer(
    keyOf: () => AnswerKey | undefined,
    signal: AbortSignal,
    run: (signal: AbortSignal) => Promise<TracedRun>,
  ): Promise<CachedAnswer>;
  /** Returns the number and the size in bytes of cached answers. */
  figures(): CacheFigures;
}

/** The number and size of cached answers. */
export interface CacheFigures {
  readonly answers: number;
  readonly bytes: number;
}

interface AnswerCacheOptions {
  /**
   * Maximum size of cached answers in bytes. The least recently used answers are evicted first. 0 disables the cache.
   */
  readonly sizeBytes: number;
  /** A monotonic clock, in milliseconds. */
  readonly now?: () => number;
}

interface Kept {
  readonly answer: TracedRun;
  readonly startedAt: number;
  readonly sizeBytes: number;
}

/** The largest share of the cache for one answer. A larger answer would evict too many other answers. */
const largestShare = 1 / 4;
/** Bytes for a key, its entry and the trace of its run. */
const entryBytes = 2048;

/** Creates the answer cache of one host. It needs no closing. */
export function createAnswerCache({
  sizeBytes: limitBytes,
  now = () => performance.now(),
}: AnswerCacheOptions): AnswerCache {
  const kept = new Map<string, Kept>();
  const runs = createSharedRuns<TracedRun>(now);
  let sizeBytes = 0;

  const drop = (text: string) => {
    sizeBytes -= kept.get(text)?.sizeBytes ?? 0;
    kept.delete(text);
  };
  const keep = (text: string, answer: TracedRun, startedAt: number) => {
    const own = { ...answer, batch: compactBatch(answer.batch) };
    const entry = { answer: own, startedAt, sizeBytes: sizeOfBatch(own.batch) + entryBytes };
    drop(text);
    if (entry.sizeBytes > limitBytes * largestShare) return;
    kept.set(text, entry);
    sizeBytes += entry.sizeBytes;
    for (const oldest of kept.keys()) {
      if (sizeBytes <= limitBytes) return;
      drop(oldest);
    }
  };
  const take = ({ text, maxAgeMs }: AnswerKey): Kept | undefined => {
    const found = kept.get(text);
    if (!found) return undefined;
    kept.delete(text);
    if (now() - found.startedAt < maxAgeMs) {
      kept.set(text, found);
      return found;
    }
    sizeBytes -= found.sizeBytes;
    return undefined;
  };
  const start = (text: string, run: (signal: AbortSignal) => Promise<TracedRun>) =>
    runs.start(text, async (signal) => {
      const startedAt = now();
      const done = await run(signal);
      keep(text, done, startedAt);
      return done;
    });

  return {
    async answer(keyOf, signal, run) {
      const key = limitBytes > 0 ? keyOf() : undefined;
      if (!key || key.maxAgeMs <= 0) return { answer: await run(signal), state: "off", ageMs: 0 };
      const found = take(key);
      if (found) return { answer: found.answer, state: "hit", ageMs: now() - found.startedAt };
      const underWay = runs.underWay(key.text);
      const isShared = underWay !== undefined && now() - underWay.startedAt < key.maxAgeMs;
      const sharedRun = isShared ? underWay : start(key.text, run);
      const answer = await sharedRun.wait(signal);
      return {
        answer,
        state: isShared ? "shared" : "miss",
        ageMs: now() - sharedRun.startedAt,
      };
    },
    figures: () => ({ answers: kept.size, bytes: sizeBytes }),
  };
}
