import { createHash } from "node:crypto";
import type { Middleware } from "koa";
import { ApiError, type Principal } from "../../base/index.ts";
import type { CallSource } from "../../identity/index.ts";
import type { CallLimits } from "./limits.ts";

const styles = "body{margin:0}";
const styleHash = createHash("sha256").update(styles).digest("base64");

/**
 * Content security policy of the page. It allows only the host's own script, calls to the host, and the style above.
 */
const policy = [
  "default-src 'none'",
  "script-src 'self'",
  `style-src 'self' 'sha256-${styleHash}'`,
  "connect-src 'self'",
  "img-src 'self' data: blob:",
  "font-src 'self'",
  // Allows the sandboxed frames of custom charts.
  "frame-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
  "require-trusted-types-for 'script'",
].join("; ");

export interface SharedPageOptions {
  authenticate(envelope: Readonly<Record<string, unknown>>, source: CallSource): Promise<Principal>;
  readonly limits: CallLimits;
}

/**
 * Serves the page of a private link, which shows the shared dashboard to visitors who have not signed in. The page
 * contains only the dashboard's id; the component on the page sends queries with the key in the link. All invalid links
 * get the same response.
 */
export function sharedPage({ authenticate, limits }: SharedPageOptions): Middleware {
  return async (ctx) => {
    const { key = "" }: { readonly key?: string } = ctx["params"];
    const dashboardId = await dashboardOf(key);
    ctx.set("Content-Security-Policy", policy);
    ctx.set("Cross-Origin-Opener-Policy", "same-origin");
    ctx.set("Cross-Origin-Resource-Policy", "same-origin");
    // The address contains the key, so the browser must not send it as a referrer to other sites.
    ctx.set("Referrer-Policy", "no-referrer");
    ctx.status = dashboardId === undefined ? 404 : 200;
    ctx.type = "text/html; charset=utf-8";
    ctx.body = page(
      dashboardId === undefined
        ? "<p>This link is not valid.</p>"
        : `<script type="module" src="/embed.js"></script>
<manifold-dashboard dashboard="${dashboardId}" auth-key="${key}"></manifold-dashboard>
<noscript>This dashboard needs JavaScript.</noscript>`,
    );

    /**
     * Returns the id of the dashboard. Only keys in the valid format are looked up, so that nothing else from the
     * address reaches the page.
     */
    async function dashboardOf(given: string): Promise<string | undefined> {
      if (!/^[\w-]{22}$/.test(given)) return undefined;
      try {
        const source = { address: ctx.ip, origin: undefined };
        const { restriction } = await authenticate({ key: given }, source);
        return [...(restriction?.securables ?? [])].find(([, right]) => right === "read")?.[0];
      } catch (failure) {
        if (!(failure instanceof ApiError)) throw failure;
        limits.failed(ctx.ip);
        return undefined;
      }
    }
  };
}

const page = (content: string): string => `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta name="robots" content="noindex">
<title>Dashboard</title>
<style>${styles}</style>
</head>
<body>
${content}
</body>
</html>
`;
