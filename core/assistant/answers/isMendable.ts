import { PluginError } from "../../../plugins/protocol/index.ts";
import { ApiError } from "../../base/index.ts";

/**
 * Returns whether a model can correct the query after this failure, as the author of a query could. Failures of a
 * source and exceeded call limits are not the query's fault.
 */
export function isMendable(failure: unknown): failure is ApiError | PluginError {
  return (
    (failure instanceof ApiError || failure instanceof PluginError) &&
    failure.status >= 400 &&
    failure.status < 500 &&
    failure.status !== 429
  );
}
