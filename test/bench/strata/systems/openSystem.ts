import type { OpenRequest, System, SystemName } from "./system.ts";

type Open = (request: OpenRequest) => Promise<System>;

const duckdb: Open = async (request) => (await import("./openDuckdb.ts")).openDuckdb(request);
const clickhouse: Open = async (request) =>
  (await import("./openClickhouse.ts")).openClickhouse(request);
const polars: Open = async (request) => (await import("./openPolars.ts")).openPolars(request);

/** Functions that load a system's code on demand, so that the memory of a process contains only that system. */
const opens: Readonly<Record<SystemName, Open>> = {
  strata: async (request) => (await import("./openStrataStore.ts")).openStrataStore(request),
  duckdb,
  "duckdb-enum": duckdb,
  "duckdb-file": duckdb,
  "clickhouse-memory": clickhouse,
  "clickhouse-mergetree": clickhouse,
  polars,
  "polars-categorical": polars,
};

/** Opens a system and fills it with the bench table. */
export function openSystem(request: OpenRequest): Promise<System> {
  return opens[request.name](request);
}
