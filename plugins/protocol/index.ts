// The words of the plugin protocol: types, schemas, errors. No behaviour.
// May import: typebox.
export * from "./batch.ts";
export * from "./capabilities.ts";
export * from "./dataset.ts";
export * from "./errors.ts";
export * from "./plugin.ts";
export * from "./query.ts";
export * from "./versions.ts";
