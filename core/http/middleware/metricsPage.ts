import { createHash, timingSafeEqual } from "node:crypto";
import type { Middleware } from "koa";
import { ApiError, type Metrics } from "../../base/index.ts";
import type { CallLimits } from "./limits.ts";

const digest = (text: string) => createHash("sha256").update(text).digest();

/**
 * Returns the host's metrics to callers that send the metrics token as `Authorization: Bearer`.
 * @throws {ApiError} METRICS_UNAUTHORIZED, CREDENTIALS_TOO_MANY
 */
export function metricsPage(
  metrics: Pick<Metrics, "write">,
  token: string,
  limits: Pick<CallLimits, "admit" | "failed">,
): Middleware {
  const wanted = digest(`Bearer ${token}`);
  return async (ctx) => {
    limits.admit(ctx.ip);
    if (!timingSafeEqual(digest(ctx.get("Authorization")), wanted)) {
      limits.failed(ctx.ip);
      ctx.set("WWW-Authenticate", "Bearer");
      throw new ApiError("METRICS_UNAUTHORIZED");
    }
    const { text, contentType } = await metrics.write();
    ctx.set("Content-Type", contentType);
    ctx.body = text;
  };
}
