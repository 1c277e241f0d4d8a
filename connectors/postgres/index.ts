// A connector for PostgreSQL, and for databases with its protocol and catalog.
// May import: plugins/protocol, plugins/sql; pg.
import type { OpenConnector } from "../../plugins/protocol/index.ts";
import { createSqlPlugin } from "../../plugins/sql/index.ts";
import { createDriver } from "./createDriver.ts";
import { dialect } from "./dialect.ts";

export { properties } from "./settings.ts";

/** Opens the connector. It connects on the first call of each account. */
export const open: OpenConnector = async (options) =>
  createSqlPlugin({ dialect, driver: createDriver(options), ...options });
