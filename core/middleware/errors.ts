import { STATUS_CODES } from "node:http";
import type { Middleware } from "koa";
import type { Logger } from "pino";
import { PluginError } from "../../plugins/protocol/index.ts";
import { ApiError } from "../errors.ts";
import type { RequestState } from "./requestId.ts";

/** The body of every error, in the shape that every existing client can read. */
export interface ErrorBody {
  readonly code: number;
  readonly type: { readonly code: string; readonly description: string };
  readonly message: string;
  readonly validation?: Readonly<Record<string, readonly string[]>>;
  readonly request_id: string;
}

/** Turns what was thrown into the body of the answer; an unknown failure shows its request id and nothing else. */
export function errorBody(thrown: unknown, requestId: string): ErrorBody {
  const known =
    thrown instanceof ApiError || thrown instanceof PluginError
      ? thrown
      : new ApiError("INTERNAL", [], { cause: thrown });
  const validation = known instanceof ApiError ? known.validation : undefined;
  return {
    code: known.status,
    type: { code: known.code, description: STATUS_CODES[known.status] ?? "Error" },
    message: known.message,
    ...(validation ? { validation } : {}),
    request_id: requestId,
  };
}

/** Renders every error once. It is the first of the stack but for the request id. */
export function errors(logger: Logger): Middleware<RequestState> {
  return async (ctx, next) => {
    try {
      await next();
    } catch (thrown) {
      const body = errorBody(thrown, ctx.state.requestId);
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
