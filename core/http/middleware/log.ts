import type { Middleware } from "koa";
import type { Logger } from "pino";
import { traceId } from "../../base/index.ts";
import type { RequestState } from "./requestId.ts";

/** Writes one line per request: action, resource, status, milliseconds. Bodies, keys and tokens are never written. */
export function log(
  logger: Logger,
): Middleware<RequestState & { resource?: string; action?: string }> {
  return async (ctx, next) => {
    const startedAt = performance.now();
    await next();
    const { requestId, resource, action } = ctx.state;
    const durationMs = Math.round((performance.now() - startedAt) * 10) / 10;
    const line = {
      requestId,
      traceId: traceId(),
      method: ctx.method,
      resource,
      action,
      status: ctx.status,
      durationMs,
    };
    const quiet = ctx.path === "/healthz" || ctx.path === "/readyz";
    logger[quiet ? "debug" : "info"](line, "request");
  };
}
