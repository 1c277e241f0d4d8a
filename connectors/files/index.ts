// Files of rows as a connector: CSV, TSV, JSON and JSON lines, in the folders that the operator allows.
// May import: plugins/protocol, plugins/rows, plugins/sql.
import type { OpenConnector } from "../../plugins/protocol/index.ts";
import { createRowPlugin } from "../../plugins/rows/index.ts";
import { createDriver } from "./createDriver.ts";

export { properties } from "./properties.ts";

/** Opens the connector for files. */
export const open: OpenConnector = async ({ reach, sizeBytes }) =>
  createRowPlugin({ driver: createDriver(reach), capabilities: { projection: true }, sizeBytes });
