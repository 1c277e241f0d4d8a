import { randomUUID } from "node:crypto";
import { rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { PluginError } from "../../plugins/protocol/index.ts";
import { openReader, ReaderEnded, type Reader } from "../../plugins/rows/index.ts";
import type { Source } from "./findDataFiles.ts";
import type { DuckdbRequest, DuckdbRows } from "./messages.ts";

/** A source that a separate process has opened. */
export interface OpenSource {
  /** Runs a statement and returns its rows. Aborting `signal` stops the statement. */
  rows(text: string, values: readonly unknown[], signal: AbortSignal): AsyncIterable<DuckdbRows>;
}

/**
 * The open processes of all sources. An unused process is stopped after a few seconds, so that other programs can write
 * to the file that it has open.
 */
export interface OpenSources {
  use<Result>(
    key: string,
    source: Source,
    run: (open: OpenSource) => Promise<Result>,
  ): Promise<Result>;
  /** Stops the process of a source if nobody uses the source. Resolves once the process has exited. */
  release(key: string): Promise<void>;
  /** Returns the ids of all running processes. */
  pids(): readonly number[];
  close(): Promise<void>;
}

interface Kept {
  readonly reader: Reader<DuckdbRequest, DuckdbRows>;
  /** Folder to which queries spill data. */
  readonly scratch: string;
  readonly version: string;
  users: number;
  /**
   * Whether a process for a newer version of the file has replaced this process, or this process has failed. Such a
   * process is stopped once its last user has finished.
   */
  isStale: boolean;
  timer?: NodeJS.Timeout;
}

export interface SourcesOptions {
  readonly idleMs?: number;
  /** Maximum number of concurrent processes. Idle processes are stopped to make room for others. */
  readonly most: number;
  /** URL of DuckDB's main module; undefined for the package next to this connector. */
  readonly driverUrl?: string | undefined;
}

/** Memory limit of a process: DuckDB's own limit, plus the same amount again for buffers and for Node. */
const memoryBytes = 2 * 2 ** 30;

export function openSources({ idleMs = 5000, most, driverUrl }: SourcesOptions): OpenSources {
  const kept = new Map<string, Kept>();
  const closings = new Set<Promise<void>>();
  let isClosed = false;

  const close = (key: string, entry: Kept) => {
    clearTimeout(entry.timer);
    if (kept.get(key) === entry) kept.delete(key);
    const closing = entry.reader
      .kill()
      .then(() => rm(entry.scratch, { recursive: true, force: true }))
      .finally(() => closings.delete(closing));
    closings.add(closing);
  };
  const take = (key: string, source: Source): Kept => {
    const known = kept.get(key);
    if (known && known.version === source.version && !known.isStale && known.reader.isAlive) {
      clearTimeout(known.timer);
      known.users++;
      return known;
    }
    if (known) {
      known.isStale = true;
      kept.delete(key);
      if (known.users === 0) close(key, known);
    }
    if (kept.size >= most) {
      const [idle] = [...kept].filter(([, { users }]) => users === 0);
      if (idle) close(...idle);
    }
    const entry: Kept = {
      reader: openReader({ module: new URL("./reader", import.meta.url), memoryBytes }),
      scratch: join(tmpdir(), `manifold-duckdb-${randomUUID()}`),
      version: source.version,
      users: 1,
      isStale: false,
    };
    kept.set(key, entry);
    return entry;
  };
  const giveBack = (key: string, entry: Kept) => {
    entry.users--;
    if (entry.users > 0) return;
    entry.reader.hold(false);
    if (entry.isStale || isClosed || !entry.reader.isAlive) close(key, entry);
    else entry.timer = setTimeout(() => close(key, entry), idleMs).unref();
  };
  return {
    async use(key, source, run) {
      if (isClosed) throw new PluginError("PLUGIN_SOURCE_FAILED", ["the connector is closed"]);
      const entry = take(key, source);
      const { reader, scratch } = entry;
      reader.hold(true);
      try {
        return await run({
          rows: (text, values, signal) =>
            reader.call({ source, scratch, driverUrl, text, values }, { signal }),
        });
      } catch (failure) {
        if (isFatal(failure)) entry.isStale = true;
        throw failure;
      } finally {
        giveBack(key, entry);
      }
    },
    async release(key) {
      const entry = kept.get(key);
      if (entry?.users === 0) close(key, entry);
      await Promise.all(closings);
    },
    pids: () => [...kept.values()].map(({ reader }) => reader.pid),
    async close() {
      isClosed = true;
      for (const [key, entry] of kept) if (entry.users === 0) close(key, entry);
      await Promise.all(closings);
    },
  };
}

/** Returns whether DuckDB refuses every statement after this failure. */
function isFatal(failure: unknown): boolean {
  return (
    failure instanceof ReaderEnded ||
    (failure instanceof Error && /^(FATAL|INTERNAL) Error/.test(failure.message))
  );
}
