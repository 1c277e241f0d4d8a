// A connector for DuckDB databases and Parquet, CSV and JSON files: one statement per query, in a locked engine.
// May import: plugins/protocol, plugins/rows, plugins/rows/serving, plugins/sql; @duckdb/node-api.
import type { OpenConnector } from "../../plugins/protocol/index.ts";
import { createSqlPlugin } from "../../plugins/sql/index.ts";
import { dialect } from "./dialect.ts";
import { openDriver } from "./driver.ts";

export { properties } from "./properties.ts";

/** Opens the connector. It starts a process on the first call for each source. */
export const open: OpenConnector = async (options) =>
  createSqlPlugin({ dialect, driver: openDriver(options), ...options });
