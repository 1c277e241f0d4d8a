// The library for authors of SQL connectors: a query as one statement, in any dialect.
// May import: plugins/protocol.
export * from "./dialect.ts";
export * from "./driver.ts";
export * from "./fragment.ts";
