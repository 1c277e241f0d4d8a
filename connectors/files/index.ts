// A connector for files: separated values, JSON, Parquet, Arrow and Excel, in folders, on web servers and in S3.
// May import: plugins/protocol, plugins/rows, plugins/rows/formats, plugins/sql; aws4fetch.
import type { OpenConnector } from "../../plugins/protocol/index.ts";
import { openFileReaders } from "../../plugins/rows/formats/index.ts";
import { openRequester } from "../../plugins/rows/index.ts";
import { createPlugin } from "./createPlugin.ts";

export { properties } from "./properties.ts";

/** Opens the connector. It reads no files before the first call. */
export const open: OpenConnector = async ({ reach, sizeBytes, timeoutMs }) =>
  createPlugin({
    reach,
    requester: openRequester({ reach }),
    readers: openFileReaders({ timeoutMs }),
    sizeBytes,
  });
