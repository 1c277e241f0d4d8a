import { PluginError } from "../protocol/index.ts";

/**
 * Returns the error for an aborted call. If the reason of the signal is a `PluginError`, returns that error. Otherwise,
 * the returned error says whether the call timed out or was cancelled. `source` is the name of the database.
 */
export function cancelledCall({ reason }: AbortSignal, source: string): PluginError {
  if (reason instanceof PluginError) return reason;
  const isLate = reason instanceof DOMException && reason.name === "TimeoutError";
  return new PluginError("PLUGIN_TIMEOUT", [
    `${source}: ${isLate ? "the statement exceeded its time limit" : "the call was cancelled"}`,
  ]);
}
