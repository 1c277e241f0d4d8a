import type { Middleware } from "koa";

/**
 * HTTP methods that clients use. All methods have the same effect, because the body's `action` determines what a call
 * does.
 */
export const methods = ["POST", "SEARCH", "PATCH", "DELETE", "LINK", "UNLINK"] as const;

/**
 * Lets browsers of any origin call the API with credentials in the body. The wildcard does not expose sessions: the
 * session cookie is read only with the X-Manifold-Console header. That header is not in the list below, so preflights
 * from other origins fail. Never add it or `*` to the list.
 */
export const cors: Middleware = async (ctx, next) => {
  ctx.set("Access-Control-Allow-Origin", "*");
  if (ctx.method !== "OPTIONS") {
    ctx.set(
      "Access-Control-Expose-Headers",
      "X-Request-Id, Retry-After, X-Unknown-Attributes, X-Quota-Warning, X-Warnings, X-Filters, Content-Disposition",
    );
    return next();
  }
  ctx.set("Access-Control-Allow-Methods", ["GET", ...methods, "OPTIONS"].join(", "));
  ctx.set("Access-Control-Allow-Headers", "Content-Type, Content-Encoding, X-HTTP-Method-Override");
  ctx.set("Access-Control-Max-Age", "86400");
  ctx.status = 204;
};
