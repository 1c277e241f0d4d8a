import type { Middleware } from "koa";
import type { Logger } from "pino";
import { PluginError } from "../../../plugins/protocol/index.ts";
import { catalogFailureOf } from "../../catalog/index.ts";
import { ApiError, errorBody, type ErrorBody } from "../../base/index.ts";
import type { RequestState } from "./requestId.ts";

/** Seconds after which a catalog that was away is asked again: its server takes about one to start. */
const retryAfterS = 2;

/** Makes a known error of what was thrown; an unknown failure shows nothing of itself. */
function knownError(thrown: unknown): ApiError | PluginError {
  if (thrown instanceof ApiError || thrown instanceof PluginError) return thrown;
  switch (catalogFailureOf(thrown)) {
    case "unavailable":
      return new ApiError("CATALOG_UNAVAILABLE", [], { cause: thrown, retryAfterS });
    case "full":
      return new ApiError("CATALOG_FULL", [], { cause: thrown });
    case undefined:
      return new ApiError("INTERNAL", [], { cause: thrown });
  }
}

/** Presents what was thrown; an unknown failure shows its request id and nothing else. */
export function presentFailure(
  thrown: unknown,
  requestId: string,
): ErrorBody & { readonly request_id: string } {
  return { ...errorBody(knownError(thrown)), request_id: requestId };
}

/** Renders every error once. It is the first of the stack but for the request id. */
export function errors(logger: Logger): Middleware<RequestState> {
  return async (ctx, next) => {
    try {
      await next();
    } catch (thrown) {
      const known = knownError(thrown);
      const body = presentFailure(known, ctx.state.requestId);
      const { signal } = ctx.state;
      const isLeft = signal.aborted && (thrown === signal.reason || thrown instanceof PluginError);
      if (isLeft)
        logger.info({ requestId: ctx.state.requestId }, "the client left before its answer");
      else if (body.code >= 500)
        logger.error({ requestId: ctx.state.requestId, err: thrown }, body.message);
      ctx.status = body.code;
      ctx.body = body;
      const waitS = known instanceof ApiError ? known.retryAfterS : undefined;
      if (waitS !== undefined || body.code === 429) ctx.set("Retry-After", String(waitS ?? 1));
    }
  };
}
