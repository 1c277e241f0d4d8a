import type { Middleware } from "koa";

/** Sets the headers that keep an answer from being sniffed, framed, cached or run. */
export const securityHeaders: Middleware = async (ctx, next) => {
  ctx.set("X-Content-Type-Options", "nosniff");
  ctx.set("Content-Security-Policy", "default-src 'none'; frame-ancestors 'none'");
  ctx.set("Referrer-Policy", "no-referrer");
  ctx.set("Cache-Control", "no-store");
  await next();
};
