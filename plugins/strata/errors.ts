import { EngineError, type EngineErrorCode } from "../../engine/index.ts";
import { PluginError, type PluginErrorCode } from "../protocol/index.ts";

/** For each error code of the engine, the error code of the protocol. */
export const pluginCodes: Readonly<Record<EngineErrorCode, PluginErrorCode>> = {
  STORE_LOCKED: "PLUGIN_SOURCE_FAILED",
  STORE_CLOSED: "PLUGIN_SOURCE_FAILED",
  STORE_WRITE_FAILED: "PLUGIN_SOURCE_FAILED",
  STORE_OUT_OF_MEMORY: "PLUGIN_INVALID",
  STORE_BUSY: "PLUGIN_BUSY",
  SNAPSHOT_OPEN: "PLUGIN_CONFLICT",
  FILE_CORRUPT: "PLUGIN_SOURCE_FAILED",
  FILE_VERSION: "PLUGIN_SOURCE_FAILED",
  TABLE_UNKNOWN: "PLUGIN_UNKNOWN_DATASET",
  TABLE_EXISTS: "PLUGIN_CONFLICT",
  TABLE_DAMAGED: "PLUGIN_SOURCE_FAILED",
  COLUMN_UNKNOWN: "PLUGIN_UNKNOWN_COLUMN",
  COLUMN_EXISTS: "PLUGIN_CONFLICT",
  COLUMN_TYPE: "PLUGIN_INVALID",
  BATCH_MALFORMED: "PLUGIN_MALFORMED",
  VALUE_NOT_FINITE: "PLUGIN_MALFORMED",
  INGEST_MALFORMED: "PLUGIN_MALFORMED",
  INGEST_CELL: "PLUGIN_MALFORMED",
  JOIN_AMBIGUOUS: "PLUGIN_JOIN_AMBIGUOUS",
  QUERY_CANCELLED: "PLUGIN_TIMEOUT",
  QUERY_PLAN: "PLUGIN_INVALID",
  QUERY_OUT_OF_MEMORY: "PLUGIN_INVALID",
  QUERY_TEXTS_LARGE: "PLUGIN_INVALID",
  WORKER_FAILED: "PLUGIN_BUG",
};

/** Converts an error of the engine to a `PluginError`. */
export function toPluginError(error: unknown): PluginError {
  if (error instanceof PluginError) return error;
  if (!(error instanceof EngineError))
    return new PluginError("PLUGIN_BUG", ["unexpected error"], { cause: error });
  const code = pluginCodes[error.code];
  // The message omits the repeated value, because the value may be in a row that the caller must not see.
  if (error.code === "JOIN_AMBIGUOUS")
    return new PluginError(
      code,
      [
        `a value occurs more than once in the column ${error.details[0]} of the dataset ${error.details[1]}`,
      ],
      { cause: error },
    );
  const keepsDetails = code === "PLUGIN_UNKNOWN_DATASET" || code === "PLUGIN_UNKNOWN_COLUMN";
  return new PluginError(code, keepsDetails ? error.details : [error.message], { cause: error });
}
