// The library for connectors whose sources only return plain rows: files, and APIs.
// May import: plugins/protocol, plugins/sql.
export { createRowPlugin, datasetOfTable, type RowPluginOptions } from "./createRowPlugin.ts";
export * from "./readers/index.ts";
export { refuseMore } from "./readTable.ts";
export {
  openRequester,
  type Requester,
  type RequesterOptions,
  type WebAnswer,
  type WebRequest,
} from "./openRequester.ts";
export { RetriableError, retry, retryAfterMs, type Sleep } from "./retry.ts";
export type { ValueForms } from "./readValue.ts";
export type { OpenTable, RowBlock, RowColumn, RowDriver, RowTable } from "./rowDriver.ts";
