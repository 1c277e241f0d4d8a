import { PluginError } from "../protocol/index.ts";

/** An error on the wire. It has the members of the numbered protocol versions, plus the stable code and the details. */
export interface ErrorBody {
  readonly type: { readonly code: number; readonly description: string };
  readonly message: string;
  readonly code: string;
  readonly details: readonly (string | number)[];
}

/**
 * Converts an error to its form on the wire. Errors other than `PluginError` become PLUGIN_BUG, without their message.
 */
export function errorBody(failure: unknown): ErrorBody {
  const { status, message, code, details } =
    failure instanceof PluginError
      ? failure
      : new PluginError("PLUGIN_BUG", ["unexpected error; see the plugin's log"]);
  return { type: { code: status, description: code }, message, code, details };
}
