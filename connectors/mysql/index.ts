// A connector for MySQL 8, MariaDB, and databases with their protocol and catalog.
// May import: plugins/protocol, plugins/sql; mysql2.
import type { OpenConnector } from "../../plugins/protocol/index.ts";
import { createSqlPlugin } from "../../plugins/sql/index.ts";
import { createDriver } from "./createDriver.ts";
import { dialect } from "./dialect.ts";

export { properties } from "./settings.ts";

/** Opens the connector. It connects on the first call of each account. */
export const open: OpenConnector = async (options) =>
  createSqlPlugin({ dialect, driver: createDriver(options), ...options });
