import { compareAnswers } from "./compareAnswers.ts";
import type { ColdRequest } from "./cold.ts";
import { callAtOnce, type CallRequest } from "./callAtOnce.ts";
import type { CurveRequest } from "./groupCurve.ts";
import type { IngestRequest } from "./ingest.ts";
import type { Cell, BenchQuery } from "./benchQuery.ts";
import type { openTurnReader } from "./readInTurn.ts";
import { openSystem } from "./systems/openSystem.ts";
import type { OpenRequest, System } from "./systems/system.ts";
import { factColumns } from "./columns.ts";
import { toCells } from "./toCells.ts";

/** The result of one timed query. */
export interface TimedAnswer {
  /** Milliseconds from sending the query until the answer is available as JavaScript values. */
  readonly ms: number;
  readonly rowCount: number;
  readonly scannedRowCount?: number;
  /** The cells of the answer. Present only on request. */
  readonly cells?: readonly (readonly Cell[])[];
  /** The first difference between this answer and the process's first answer to the query; absent if there is none. */
  readonly difference?: string;
}

/** Returns the jobs that a process of the bench can run. Inputs and results are plain data. */
export function createJobs() {
  let system: System | undefined;
  let readInTurn: Awaited<ReturnType<typeof openTurnReader>> | undefined;
  const firstAnswers = new Map<string, readonly (readonly Cell[])[]>();
  const opened = () => {
    if (!system) throw new Error("no system is open in this process");
    return system;
  };
  return {
    async open(request: OpenRequest) {
      system = await openSystem(request);
      return {
        loadMs: system.loadMs,
        version: system.version,
        memoryBytes: process.memoryUsage.rss(),
      };
    },
    async query(request: {
      readonly query: BenchQuery;
      readonly sendsCells: boolean;
    }): Promise<TimedAnswer> {
      const { query, sendsCells } = request;
      const startedAt = performance.now();
      const answer = await opened().query(query, 0);
      const ms = performance.now() - startedAt;
      const cells = toCells(answer.rows, query.types);
      const first = firstAnswers.get(query.name);
      if (!first) firstAnswers.set(query.name, cells);
      const difference = first && !query.isChoice ? compareAnswers(first, cells, query) : undefined;
      return {
        ms,
        rowCount: cells.length,
        ...(answer.scannedRowCount !== undefined && { scannedRowCount: answer.scannedRowCount }),
        ...(sendsCells && { cells }),
        ...(difference !== undefined && { difference }),
      };
    },
    forget(queries: readonly string[]) {
      for (const name of queries) firstAnswers.delete(name);
    },
    callAtOnce: (request: CallRequest) => callAtOnce(opened(), request),
    memory: () => ({ memoryBytes: process.memoryUsage.rss() }),
    async close() {
      await system?.close();
      system = undefined;
    },
    async readInTurn() {
      readInTurn ??= await (await import("./readInTurn.ts")).openTurnReader();
      return readInTurn();
    },
    bandwidth: async () => (await import("./bandwidth.ts")).measureBandwidth(),
    firstTime: async (request: {
      readonly dir: string;
      readonly rowCount: number;
      readonly seed: number;
    }) => (await import("./firstTime.ts")).runFirstTime(request),
    cold: async (request: ColdRequest) => (await import("./cold.ts")).runCold(request),
    read: async (request: { readonly dir: string; readonly sizeBytes: number }) =>
      (await import("./cold.ts")).readBytes(request),
    ingest: async (request: IngestRequest) => (await import("./ingest.ts")).runIngest(request),
    groupCurve: async (request: CurveRequest) =>
      (await import("./groupCurve.ts")).runGroupCurve(request),
    async measureColumns({ dir }: { readonly dir: string }) {
      const { measureColumns } = await import("./measureColumns.ts");
      const store = await (await import("./systems/openStrataStore.ts")).openBenchStore(dir);
      try {
        return await measureColumns({ store, table: "f", columns: factColumns });
      } finally {
        await store.close();
      }
    },
  };
}

export type Jobs = ReturnType<typeof createJobs>;
