// The library for authors of connectors that give rows and no more: files, and APIs that answer rows.
// May import: plugins/protocol, plugins/sql.
export { createRowPlugin, type RowPluginOptions } from "./createRowPlugin.ts";
export { decodeText, type Encoding } from "./decodeText.ts";
export { createDetector, type DetectedColumn, type Detector } from "./detectColumns.ts";
export { columnNames } from "./columnNames.ts";
export { findSeparator } from "./findSeparator.ts";
export {
  openRequester,
  type Requester,
  type RequesterOptions,
  type WebAnswer,
  type WebRequest,
} from "./openRequester.ts";
export { readCsv } from "./readCsv.ts";
export { RetriableError, retry, retryAfterMs, type Sleep } from "./retry.ts";
export type { ValueForms } from "./readValue.ts";
export { splitJson } from "./splitJson.ts";
export type { OpenTable, RowBlock, RowColumn, RowDriver, RowTable } from "./rowDriver.ts";
