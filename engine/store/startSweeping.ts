import { collectGarbage } from "../memory/collectGarbage.ts";
import type { Memory } from "../memory/memory.ts";
import type { Pool } from "../pool/pool.ts";
import { sweepArenas } from "./residency/sweepArenas.ts";
import type { TableSet } from "./tables/tableSet.ts";

interface Sweeping {
  readonly memory: Memory;
  readonly tables: TableSet;
  /** Returns the pool of threads; undefined before it is created. */
  readonly pool: () => Pool | undefined;
  readonly everyMs: number;
}

/** Garbage is collected once this many times the minimum arena size has been released. */
const collectedArenas = 4;

/**
 * Sweeps the arenas at intervals until it is stopped. Does not keep the process alive. When enough memory has been
 * released, every thread collects garbage. The calling thread also collects garbage, which takes a third of a second if
 * its heap is 200 MiB.
 */
export function startSweeping({ memory, tables, pool, everyMs }: Sweeping): {
  end(): Promise<void>;
} {
  let running: Promise<void> | undefined;
  let keptBytes = 0;
  let isEnded = false;

  const sweep = async (): Promise<void> => {
    keptBytes += await sweepArenas(
      memory,
      tables.all().map(({ table }) => table),
    );
    if (isEnded || keptBytes < collectedArenas * memory.leastReleasedBytes) return;
    const threads = pool();
    if (threads && !(await threads.releaseMemory())) return;
    if (!threads) collectGarbage();
    keptBytes = 0;
  };
  const timer = setInterval(() => {
    running ??= sweep().finally(() => (running = undefined));
  }, everyMs);
  timer.unref();

  return {
    async end() {
      isEnded = true;
      clearInterval(timer);
      await running;
    },
  };
}
