// Files of rows as a connector: separated values, JSON, Parquet, Arrow and Excel, in folders, at addresses and in S3.
// May import: plugins/protocol, plugins/rows, plugins/sql; apache-arrow, aws4fetch, hyparquet, saxes, yauzl.
import type { OpenConnector } from "../../plugins/protocol/index.ts";
import { createRowPlugin, openRequester } from "../../plugins/rows/index.ts";
import { capabilities } from "./capabilities.ts";
import { createDriver } from "./createDriver.ts";

export { properties } from "./properties.ts";

/** Opens the connector for files. */
export const open: OpenConnector = async ({ reach, sizeBytes }) => {
  const driver = createDriver({ reach, requester: openRequester({ reach }) });
  return createRowPlugin({ driver, capabilities, sizeBytes });
};
