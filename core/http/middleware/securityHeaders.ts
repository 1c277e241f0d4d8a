import type { Middleware } from "koa";

/** A year: what lists of preloaded hosts expect (RFC 6797, hstspreload.org). */
const strictTransport = "max-age=31536000";

/**
 * Makes the step that sets the headers which keep an answer from being sniffed, framed, cached or run.
 * `isEncrypted`: callers reach the host over https alone, so browsers must stay there.
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
