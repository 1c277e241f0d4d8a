// The words of the plugin protocol: types, schemas, errors, and the conversions of cells. No behaviour beyond that.
// May import: typebox.
export * from "./batch.ts";
export * from "./capabilities.ts";
export * from "./cells.ts";
export * from "./dataset.ts";
export * from "./errors.ts";
export * from "./instant.ts";
export * from "./plugin.ts";
export * from "./query.ts";
export * from "./versions.ts";
