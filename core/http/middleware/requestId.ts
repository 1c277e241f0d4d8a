import { randomUUID } from "node:crypto";
import type { Middleware } from "koa";

/** The state of a request in the middleware stack. */
export interface RequestState {
  requestId: string;
  /** Aborts when the client disconnects before its response is complete. */
  signal: AbortSignal;
}

/**
 * Assigns every request an id, and a signal that aborts when its client disconnects. Every response, error and log line
 * of the request contains the id.
 */
export const requestId: Middleware<RequestState> = async (ctx, next) => {
  ctx.state.requestId = randomUUID();
  ctx.set("X-Request-Id", ctx.state.requestId);
  const gone = new AbortController();
  ctx.state.signal = gone.signal;
  ctx.res.once("close", () => {
    if (!ctx.res.writableFinished) gone.abort(new Error("the client disconnected"));
  });
  await next();
};
