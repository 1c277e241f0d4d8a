import { PluginError, type PluginErrorCode } from "../protocol/index.ts";

const codes = new Set<PluginErrorCode>([
  "PLUGIN_INVALID",
  "PLUGIN_NOT_OFFERED",
  "PLUGIN_UNKNOWN_COLUMN",
  "PLUGIN_UNKNOWN_DATASET",
]);

/**
 * Returns whether the error is a refusal by the connector. The database itself did not fail then, so a driver that
 * resets the session can reuse it. This matters because opening a new connection takes longer than most statements.
 */
export function isRefusal(failure: unknown): failure is PluginError {
  return failure instanceof PluginError && codes.has(failure.code);
}
