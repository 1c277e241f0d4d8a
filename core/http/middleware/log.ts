import type { Middleware } from "koa";
import type { Logger } from "pino";
import { traceId } from "../../base/index.ts";
import type { RequestState } from "./requestId.ts";

/**
 * Logs one line per request, with action, resource, status and milliseconds. Bodies, keys and tokens are never logged.
 */
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
