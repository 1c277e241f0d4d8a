import { createHash } from "node:crypto";
import type { Middleware } from "koa";
import { ApiError, escapeHtml, type Principal } from "../../base/index.ts";
import { localizedText } from "../../web/charts/index.ts";
import type { CallSource } from "../../identity/index.ts";
import type { CallLimits } from "./limits.ts";

const styles = `
body { margin: 0; background: light-dark(#f4f5f7, #16181d); color: light-dark(#1d2129, #e8eaee);
  font: 14px/1.45 "IBM Plex Sans", system-ui, sans-serif; }
header { display: flex; flex-wrap: wrap; gap: 4px 16px; align-items: baseline; padding: 16px 16px 8px; }
h1 { margin: 0; font-size: 20px; font-weight: 600; line-height: 1.25; overflow-wrap: anywhere; }
p { margin: 0; color: light-dark(#5d6573, #a2a9b6); }
.nothing { display: grid; gap: 8px; max-width: 40ch; margin: 25vh auto 0; padding: 16px; text-align: center; }
`;
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
  /** Returns the localized name of a dashboard. */
  dashboardName(id: string): Promise<unknown>;
  authenticate(envelope: Readonly<Record<string, unknown>>, source: CallSource): Promise<Principal>;
  readonly limits: CallLimits;
}

/**
 * Serves the page of a private link, which shows the shared dashboard to visitors who have not signed in. The page
 * contains only the name and the id of the dashboard; the component on the page sends queries with the key in the link.
 * All invalid links get the same response.
 */
export function sharedPage({ dashboardName, authenticate, limits }: SharedPageOptions): Middleware {
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
    if (dashboardId === undefined) {
      ctx.body = page("This link shows nothing", nothing);
      return;
    }
    const language = ctx.acceptsLanguages()[0] ?? "en";
    const name = localizedText(await dashboardName(dashboardId), language) || "Dashboard";
    ctx.body = page(
      name,
      `<script type="module" src="/embed.js"></script>
<header><h1>${escapeHtml(name)}</h1><p>${escapeHtml(today(language))}</p></header>
<main><manifold-dashboard dashboard="${dashboardId}" auth-key="${key}" theme="auto"></manifold-dashboard></main>
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

const nothing = `<main class="nothing"><h1>This link shows nothing</h1>
<p>It was ended, or its address is incomplete. Ask the person who sent it for another one.</p></main>`;

/** Returns the date in a language, in UTC; in English for a language that is not known. */
function today(language: string): string {
  const [known = "en"] = Intl.DateTimeFormat.supportedLocalesOf(isTag(language) ? language : "en");
  return new Intl.DateTimeFormat(known, { dateStyle: "long", timeZone: "UTC" }).format(new Date());
}

/** Returns whether a string is a language tag, because others make `Intl` throw. */
const isTag = (language: string): boolean => /^[a-z]{2,3}(-[a-z0-9]{2,8})*$/i.test(language);

const page = (title: string, content: string): string => `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta name="robots" content="noindex">
<title>${escapeHtml(title)}</title>
<style>${styles}</style>
</head>
<body>
${content}
</body>
</html>
`;
