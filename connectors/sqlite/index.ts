// A connector for SQLite files: one statement per query, in a reader process that is killed if the call is cancelled.
// May import: plugins/protocol, plugins/rows, plugins/rows/serving, plugins/sql.
import type { OpenConnector } from "../../plugins/protocol/index.ts";
import { createSqlPlugin } from "../../plugins/sql/index.ts";
import { dialect } from "./dialect.ts";
import { openDriver } from "./driver.ts";

export { properties } from "./properties.ts";

/** Opens the connector. Calls start the processes that read files. */
export const open: OpenConnector = async (options) =>
  createSqlPlugin({ dialect, driver: openDriver(options), ...options });
