// A connector for ClickHouse, over HTTP.
// May import: plugins/protocol, plugins/sql; @clickhouse/client.
import type { OpenConnector } from "../../plugins/protocol/index.ts";
import { createSqlPlugin } from "../../plugins/sql/index.ts";
import { createDriver } from "./createDriver.ts";
import { dialect } from "./dialect.ts";

export { properties } from "./properties.ts";
export { openStore, type StoreOptions } from "./store/index.ts";

/** Opens the connector. It connects on the first call of each account. */
export const open: OpenConnector = async (options) =>
  createSqlPlugin({ dialect, driver: createDriver(options), ...options });
