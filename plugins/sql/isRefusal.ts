import { PluginError, type PluginErrorCode } from "../protocol/index.ts";

const codes = new Set<PluginErrorCode>([
  "PLUGIN_INVALID",
  "PLUGIN_NOT_OFFERED",
  "PLUGIN_UNKNOWN_COLUMN",
  "PLUGIN_UNKNOWN_DATASET",
]);

/**
 * Returns whether the error is a refusal by the connector. A refusal is not a failure of the database, so a driver that
 * resets its sessions can reuse the session. Opening a new connection would take longer than most statements.
 */
export function isRefusal(failure: unknown): failure is PluginError {
  return failure instanceof PluginError && codes.has(failure.code);
}
