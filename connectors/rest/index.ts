// A connector for JSON and CSV APIs, each described by a small declarative file.
// May import: plugins/protocol, plugins/rows, plugins/rows/formats, plugins/rows/serving, plugins/sql; typebox.
import type { OpenConnector } from "../../plugins/protocol/index.ts";
import { createRowPlugin, openRequester } from "../../plugins/rows/index.ts";
import { capabilities } from "./capabilities.ts";
import { createDriver } from "./createDriver.ts";

export { properties } from "./properties.ts";

/** Opens the connector for APIs. */
export const open: OpenConnector = async ({ reach, sizeBytes, timeoutMs }) => {
  const driver = createDriver({ reach, timeoutMs, requester: openRequester({ reach }) });
  return createRowPlugin({ driver, capabilities, sizeBytes });
};
