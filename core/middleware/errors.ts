import type { Middleware } from "koa";
import type { Logger } from "pino";
import { PluginError } from "../../plugins/protocol/index.ts";
import { errorBody, type ErrorBody } from "../errorBody.ts";
import { ApiError } from "../errors.ts";
import type { RequestState } from "./requestId.ts";

/** Presents what was thrown; an unknown failure shows its request id and nothing else. */
export function presentFailure(
  thrown: unknown,
  requestId: string,
): ErrorBody & { readonly request_id: string } {
  const known =
    thrown instanceof ApiError || thrown instanceof PluginError
      ? thrown
      : new ApiError("INTERNAL", [], { cause: thrown });
  return { ...errorBody(known), request_id: requestId };
}

/** Renders every error once. It is the first of the stack but for the request id. */
export function errors(logger: Logger): Middleware<RequestState> {
  return async (ctx, next) => {
    try {
      await next();
    } catch (thrown) {
      const body = presentFailure(thrown, ctx.state.requestId);
      const { signal } = ctx.state;
      const isLeft = signal.aborted && (thrown === signal.reason || thrown instanceof PluginError);
      if (isLeft)
        logger.info({ requestId: ctx.state.requestId }, "the client left before its answer");
      else if (body.code >= 500)
        logger.error({ requestId: ctx.state.requestId, err: thrown }, body.message);
      ctx.status = body.code;
      ctx.body = body;
      const retryAfterS = thrown instanceof ApiError ? thrown.retryAfterS : undefined;
      if (body.code === 429 || retryAfterS !== undefined)
        ctx.set("Retry-After", String(retryAfterS ?? 1));
    }
  };
}
