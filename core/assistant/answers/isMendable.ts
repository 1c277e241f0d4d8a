import { PluginError } from "../../../plugins/protocol/index.ts";
import { ApiError } from "../../base/index.ts";

/**
 * Returns whether a model can mend what failed, as the caller of a query could. A source that fails is nobody's
 * mistake, and a limit of calls is no mistake of the question.
 */
export function isMendable(failure: unknown): failure is ApiError | PluginError {
  return (
    (failure instanceof ApiError || failure instanceof PluginError) &&
    failure.status >= 400 &&
    failure.status < 500 &&
    failure.status !== 429
  );
}
