// The words of the plugin protocol: types, schemas, errors, and how cells, queries and writes are read from the wire.
// May import: typebox.
export * from "./batch.ts";
export * from "./binLimits.ts";
export * from "./capabilities.ts";
export * from "./cells.ts";
export * from "./connector.ts";
export * from "./dataset.ts";
export * from "./dataType.ts";
export * from "./errors.ts";
export * from "./expression.ts";
export * from "./filter.ts";
export * from "./filterPushdown.ts";
export * from "./findColumn.ts";
export * from "./functions.ts";
export * from "./instant.ts";
export * from "./narrowing.ts";
export * from "./parseApplied.ts";
export * from "./parseQuery.ts";
export * from "./parseWrite.ts";
export * from "./plugin.ts";
export * from "./query.ts";
export * from "./queryColumn.ts";
export * from "./statement.ts";
export * from "./tree.ts";
export * from "./versions.ts";
export type { NamedBatch, Write, WriteColumn } from "./write.ts";
