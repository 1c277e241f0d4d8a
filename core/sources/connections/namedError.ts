import { PluginError, pluginErrors } from "../../../plugins/protocol/index.ts";

/**
 * Adds the name of the connection to the last detail of an error. An error that plugins may not throw becomes
 * PLUGIN_BUG, without the original message. The same applies to an error with an unknown code, which a connector
 * package for another version of the protocol may throw.
 */
export function namedError(failure: unknown, name: string): PluginError {
  const known = failure instanceof PluginError && Object.hasOwn(pluginErrors, failure.code);
  const code = known ? failure.code : "PLUGIN_BUG";
  const details = known ? [...failure.details] : ["an unexpected error"];
  const last = details.pop() ?? "no reason given";
  return new PluginError(code, [...details, `${last} (connection ${name})`], { cause: failure });
}
