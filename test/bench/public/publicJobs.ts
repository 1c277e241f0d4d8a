import type { DataType } from "../../../engine/index.ts";
import type { Cell } from "../strata/benchQuery.ts";
import type { ColumnSize } from "../strata/measureColumns.ts";
import type {
  OpenPublicRequest,
  PublicSystem,
  PublicSystemName,
  SpelledQuestion,
  WrittenTable,
} from "./systems/publicSystem.ts";
import { toPublicCells } from "./toPublicCells.ts";

type Open = (request: OpenPublicRequest) => Promise<PublicSystem>;

const duckdb: Open = async (request) =>
  (await import("./systems/openDuckdb.ts")).openDuckdb(request);
const clickhouse: Open = async (request) =>
  (await import("./systems/openClickhouse.ts")).openClickhouse(request);

/** Functions that load a system's code on demand, so that the memory of a process contains only that system. */
const opens: Readonly<Record<PublicSystemName, Open>> = {
  engine: async (request) => (await import("./systems/openEngine.ts")).openEngine(request),
  duckdb,
  "duckdb-enum": duckdb,
  "duckdb-file": duckdb,
  "clickhouse-memory": clickhouse,
  "clickhouse-mergetree": clickhouse,
};

/** Opens a system and fills it with the tables. */
export function openPublicSystem(request: OpenPublicRequest): Promise<PublicSystem> {
  return opens[request.name](request);
}

export interface AskRequest {
  readonly question: SpelledQuestion;
  readonly types: readonly DataType[];
  readonly sendsCells: boolean;
}

/** Returns the jobs of a process with one system. */
export function createPublicJobs() {
  let system: PublicSystem | undefined;
  const opened = () => {
    if (!system) throw new Error("no system is open in this process");
    return system;
  };
  return {
    async open(request: OpenPublicRequest): Promise<void> {
      system = await openPublicSystem(request);
    },
    /** Asks a question. `ms` ends when the answer is available as JavaScript values. */
    async ask({ question, types, sendsCells }: AskRequest): Promise<{
      readonly ms: number;
      readonly cells: readonly (readonly Cell[])[];
    }> {
      const startedAt = performance.now();
      const rows = await opened().ask(question);
      const ms = performance.now() - startedAt;
      return { ms, cells: sendsCells ? toPublicCells(rows, types) : [] };
    },
    async measureColumns(table: WrittenTable): Promise<readonly ColumnSize[]> {
      return (await opened().measureColumns?.(table)) ?? [];
    },
  };
}

export type PublicJobs = ReturnType<typeof createPublicJobs>;
