import type { Middleware } from "koa";
import type { Assets } from "../assets/index.ts";

/** The first path segments of console pages. They equal those of `pages` in core/web/console/shell. */
export const pagePaths = [
  "explore",
  "ask",
  "dashboards",
  "data",
  "alerts",
  "plugins",
  "access",
  "account",
] as const;

/**
 * Content security policy of the console. It allows only the host's own scripts and styles, and calls to the host. Only
 * Lit templates may create markup.
 */
const policy = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "connect-src 'self'",
  "img-src 'self' data: blob:",
  "font-src 'self'",
  // Allows the sandboxed frames of custom charts.
  "frame-src 'self'",
  "base-uri 'none'",
  "form-action 'self'",
  "frame-ancestors 'none'",
  "require-trusted-types-for 'script'",
  "trusted-types lit-html",
].join("; ");

const icon =
  "data:image/svg+xml,%3Csvg xmlns='http://www.w3.org/2000/svg' viewBox='0 0 20 20'%3E%3Cpath fill='%233b5fc9' " +
  "d='M10 1l9 9-9 9-9-9z'/%3E%3C/svg%3E";

const fonts = [400, 600]
  .map(
    (weight) =>
      `<link rel="preload" href="/assets/ibm-plex-sans-${weight}.woff2" as="font" type="font/woff2" crossorigin>`,
  )
  .join("\n");

/** Serves the console page. All paths have the same page, which contains no user data. */
export function consolePage(assets: Assets): Middleware {
  return async (ctx) => {
    const script = await assets.entry("console");
    ctx.set("Content-Security-Policy", policy);
    ctx.set("Cross-Origin-Opener-Policy", "same-origin");
    ctx.set("Cross-Origin-Resource-Policy", "same-origin");
    ctx.type = "text/html; charset=utf-8";
    ctx.body = `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Manifold</title>
<link rel="icon" href="${icon}">
${fonts}
<script type="module" src="/${script}"></script>
</head>
<body><noscript>The console needs JavaScript. The API works without it.</noscript></body>
</html>
`;
  };
}

/**
 * Answers a browser at an unknown address with the console and status 404. The console reports the unknown address and
 * links to the start page.
 */
export function lostPage(assets: Assets): Middleware {
  const page = consolePage(assets);
  return async (ctx, next) => {
    if (ctx.method !== "GET" || !/\btext\/html\b/.test(ctx.get("Accept"))) return next();
    ctx.status = 404;
    return page(ctx, next);
  };
}
