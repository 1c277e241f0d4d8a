import { PluginError } from "../protocol/index.ts";

/** An error as hosts read it: the vendor's shape, with the stable code and its details beside it. */
export interface ErrorBody {
  readonly type: { readonly code: number; readonly description: string };
  readonly message: string;
  readonly code: string;
  readonly details: readonly (string | number)[];
}

/** Renders an error. Any error but a PluginError becomes PLUGIN_BUG, without its text. */
export function errorBody(failure: unknown): ErrorBody {
  const { status, message, code, details } =
    failure instanceof PluginError
      ? failure
      : new PluginError("PLUGIN_BUG", ["an unexpected error, see its log"]);
  return { type: { code: status, description: code }, message, code, details };
}
