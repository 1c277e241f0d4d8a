import { PluginError } from "../../plugins/protocol/index.ts";
import type { Source } from "./findDataFiles.ts";
import { loadDuckdb, type Duckdb } from "./loadDuckdb.ts";
import { openSource, type OpenSource } from "./openSource.ts";

/** Engines by what they read. An engine without users closes after some seconds, and writers may open its file. */
export interface OpenSources {
  use<Result>(
    key: string,
    source: Source,
    run: (open: OpenSource, duckdb: Duckdb) => Promise<Result>,
  ): Promise<Result>;
  /** The number of engines that are open. */
  count(): number;
  close(): Promise<void>;
}

interface Kept {
  readonly opening: Promise<OpenSource>;
  readonly version: string;
  users: number;
  /** Another version took its place, or it failed: it closes after its last user. */
  isStale: boolean;
  timer?: NodeJS.Timeout;
}

export function openSources(idleMs = 5000): OpenSources {
  const kept = new Map<string, Kept>();
  const closings = new Set<Promise<void>>();
  let isClosed = false;

  const close = (key: string, entry: Kept) => {
    clearTimeout(entry.timer);
    if (kept.get(key) === entry) kept.delete(key);
    const closing = entry.opening
      .then((open) => open.close())
      // An engine that did not open was reported to who asked for it.
      .catch(() => {})
      .finally(() => closings.delete(closing));
    closings.add(closing);
  };
  const take = (key: string, source: Source, duckdb: Duckdb): Kept => {
    const known = kept.get(key);
    if (known && known.version === source.version && !known.isStale) {
      clearTimeout(known.timer);
      known.users++;
      return known;
    }
    if (known) {
      known.isStale = true;
      if (known.users === 0) close(key, known);
    }
    const entry: Kept = {
      opening: openSource(duckdb, source),
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
    if (entry.isStale || isClosed) close(key, entry);
    else entry.timer = setTimeout(() => close(key, entry), idleMs).unref();
  };
  return {
    async use(key, source, run) {
      if (isClosed) throw new PluginError("PLUGIN_SOURCE_FAILED", ["the connector is closed"]);
      const duckdb = await loadDuckdb();
      const entry = take(key, source, duckdb);
      let isOpen = false;
      try {
        const open = await entry.opening;
        isOpen = true;
        return await run(open, duckdb);
      } catch (failure) {
        // An engine that could not open, or that DuckDB gave up, serves nobody else.
        if (!isOpen || isFatal(failure)) entry.isStale = true;
        throw failure;
      } finally {
        giveBack(key, entry);
      }
    },
    count: () => kept.size,
    async close() {
      isClosed = true;
      for (const [key, entry] of kept) if (entry.users === 0) close(key, entry);
      await Promise.all(closings);
    },
  };
}

/** DuckDB refuses every statement after such a failure. */
function isFatal(failure: unknown): boolean {
  return failure instanceof Error && /^(FATAL|INTERNAL) Error/.test(failure.message);
}
