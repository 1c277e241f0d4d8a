import { PluginError } from "../../../plugins/protocol/index.ts";
import { ApiError } from "../../base/index.ts";

/**
 * Returns whether a model can avoid this failure by correcting its query. A failing source or an exceeded call limit is
 * not the query's fault.
 */
export function isMendable(failure: unknown): failure is ApiError | PluginError {
  return (
    (failure instanceof ApiError || failure instanceof PluginError) &&
    failure.status >= 400 &&
    failure.status < 500 &&
    failure.status !== 429
  );
}
