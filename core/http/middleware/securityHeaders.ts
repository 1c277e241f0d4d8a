import type { Middleware } from "koa";

/** One year in seconds, the minimum for preload lists (RFC 6797, hstspreload.org). */
const strictTransport = "max-age=31536000";

/**
 * Creates the middleware that sets the security headers. They keep browsers from sniffing, framing, caching or running
 * a response. With `isEncrypted`, callers reach the host only over https, so browsers are told never to use http.
 */
export function createSecurityHeaders(isEncrypted: boolean): Middleware {
  return async (ctx, next) => {
    ctx.set("X-Content-Type-Options", "nosniff");
    ctx.set("Content-Security-Policy", "default-src 'none'; frame-ancestors 'none'");
    ctx.set("Referrer-Policy", "no-referrer");
    ctx.set("Cache-Control", "no-store");
    if (isEncrypted) ctx.set("Strict-Transport-Security", strictTransport);
    await next();
  };
}
