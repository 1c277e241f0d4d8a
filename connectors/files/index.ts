// Files of rows as a connector: separated values, JSON, Parquet, Arrow and Excel, in folders that the operator allows.
// May import: plugins/protocol, plugins/rows, plugins/sql; apache-arrow, hyparquet, saxes, yauzl.
import type { OpenConnector } from "../../plugins/protocol/index.ts";
import { createRowPlugin } from "../../plugins/rows/index.ts";
import { capabilities } from "./capabilities.ts";
import { createDriver } from "./createDriver.ts";

export { properties } from "./properties.ts";

/** Opens the connector for files. */
export const open: OpenConnector = async ({ reach, sizeBytes }) =>
  createRowPlugin({ driver: createDriver(reach), capabilities, sizeBytes });
