// The columnar store: tables of typed arrays, durable appends, and queries on a pool of threads.
// May import: engine/fair; p-queue, piscina.
export { openStore } from "./store/openStore.ts";
export { EngineError, engineErrors, type EngineErrorCode } from "./errors.ts";
export type { AggregateFunction, Aggregates } from "./aggregates.ts";
export type * from "./types.ts";
