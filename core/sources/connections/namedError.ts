import { PluginError } from "../../../plugins/protocol/index.ts";

/**
 * Adds the name of the connection to the last detail of an error. An error that plugins may not throw becomes
 * PLUGIN_BUG, without the original message.
 */
export function namedError(failure: unknown, name: string): PluginError {
  const known = failure instanceof PluginError;
  const code = known ? failure.code : "PLUGIN_BUG";
  const details = known ? [...failure.details] : ["an unexpected error"];
  const last = details.pop() ?? "no reason given";
  return new PluginError(code, [...details, `${last} (connection ${name})`], { cause: failure });
}
