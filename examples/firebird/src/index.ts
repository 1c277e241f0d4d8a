// A connector for Firebird 3 and newer, in a package of its own.
// May import: @manifold-analytics/plugin, node-firebird.
import type { AccountProperty, OpenConnector } from "@manifold-analytics/plugin";
import { createSqlPlugin } from "@manifold-analytics/plugin/sql";
import { dialect } from "./dialect.ts";
import { createDriver } from "./driver.ts";

/** The name of the provider on accounts. */
export const slug = "firebird";

/** The settings of an account. */
export const properties: readonly AccountProperty[] = [
  { id: "host", label: "Host", type: "text", required: true },
  { id: "port", label: "Port", type: "number" },
  { id: "scope", label: "Database (path or alias)", type: "text", required: true },
  { id: "identifier", label: "User", type: "text", required: true },
  { id: "token", label: "Password", type: "password", required: true },
  { id: "role", label: "Role", type: "text", destination: false },
];

/** Opens the connector. It connects on the first call of each account. */
export const open: OpenConnector = async (options) =>
  createSqlPlugin({ dialect, driver: createDriver(options), ...options });
