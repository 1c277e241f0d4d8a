import { type ErrorBody, PluginError } from "../protocol/index.ts";

/**
 * Converts an error to its form on the wire. Errors other than `PluginError` become PLUGIN_BUG, without their message.
 */
export function errorBody(failure: unknown): Required<ErrorBody> {
  const { status, message, code, details } =
    failure instanceof PluginError
      ? failure
      : new PluginError("PLUGIN_BUG", ["unexpected error; see the plugin's log"]);
  return { type: { code: status, description: code }, message, code, details };
}
