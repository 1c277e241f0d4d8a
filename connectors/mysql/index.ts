// A connector for MySQL 8, MariaDB, and databases that speak their protocol and have their catalog.
// May import: plugins/protocol, plugins/sql; mysql2.
import type { OpenConnector } from "../../plugins/protocol/index.ts";
import { createSqlPlugin } from "../../plugins/sql/index.ts";
import { createDriver } from "./createDriver.ts";
import { dialect } from "./dialect.ts";

export { properties } from "./settings.ts";

/** Opens the connector; it connects at the first call of each account. */
export const open: OpenConnector = async (options) =>
  createSqlPlugin({ dialect, driver: createDriver(options), ...options });
