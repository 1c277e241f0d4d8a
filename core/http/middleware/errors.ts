import type { Middleware } from "koa";
import type { Logger } from "pino";
import { PluginError } from "../../../plugins/protocol/index.ts";
import { catalogFailureOf } from "../../catalog/index.ts";
import { ApiError, errorBody, type ErrorBody } from "../../base/index.ts";
import type { RequestState } from "./requestId.ts";

/**
 * Seconds after which clients may retry if the catalog is unavailable. The catalog's server takes about one second to
 * start.
 */
const retryAfterS = 2;

/** Converts a thrown value to a known error. An unknown failure becomes an error that reveals nothing about it. */
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

/** Presents a thrown value as an error body. For an unknown failure, the body contains only the request id. */
export function presentFailure(
  thrown: unknown,
  requestId: string,
): ErrorBody & { readonly request_id: string } {
  return { ...errorBody(knownError(thrown)), request_id: requestId };
}

/** Renders every error in one place. Only the request id middleware runs before it. */
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
        logger.info(
          { requestId: ctx.state.requestId },
          "the client disconnected before it received the response",
        );
      else if (body.code >= 500)
        logger.error({ requestId: ctx.state.requestId, err: thrown }, body.message);
      ctx.status = body.code;
      ctx.body = body;
      const waitS = known instanceof ApiError ? known.retryAfterS : undefined;
      if (waitS !== undefined || body.code === 429) ctx.set("Retry-After", String(waitS ?? 1));
    }
  };
}
