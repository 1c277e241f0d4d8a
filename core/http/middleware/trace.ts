import { SpanStatusCode } from "@opentelemetry/api";
import type { Middleware } from "koa";
import { inSpan, type Metrics } from "../../base/index.ts";
import type { RequestState } from "./requestId.ts";

interface Observed extends RequestState {
  readonly resource?: string;
  readonly action?: string;
}

/** Paths that monitoring requests every few seconds. They are not traced, because they say nothing about callers. */
const quiet: ReadonlySet<string> = new Set(["/healthz", "/readyz", "/metrics"]);

/** Methods that spans may name. Any other method becomes `_OTHER`, following the conventions of OpenTelemetry. */
const methods: ReadonlySet<string> = new Set(["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE"]);

/** Measures every request and runs it in a span whose parent is the caller's `traceparent`. */
export function trace(metrics?: Pick<Metrics, "request">): Middleware<Observed> {
  return (ctx, next) => {
    if (quiet.has(ctx.path)) return next();
    const startedAt = performance.now();
    const method = methods.has(ctx.method) ? ctx.method : "_OTHER";
    return inSpan("request", { kind: "server", headers: ctx.headers }, async (span) => {
      await next();
      const { resource = "", action = "" } = ctx.state;
      const matched: unknown = ctx["_matchedRoute"];
      const route = typeof matched === "string" ? matched : "none";
      const { status } = ctx;
      span.updateName(`${method} ${route}`);
      span.setAttributes({
        "http.request.method": method,
        "http.route": route,
        "http.response.status_code": status,
        "manifold.request_id": ctx.state.requestId,
        ...(resource && { "manifold.resource": resource }),
        ...(action && { "manifold.action": action }),
      });
      if (status >= 500) span.setStatus({ code: SpanStatusCode.ERROR });
      const seconds = (performance.now() - startedAt) / 1000;
      metrics?.request({ route, resource, action, status, seconds });
    });
  };
}
