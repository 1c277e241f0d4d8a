import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import type { Browser, BrowserContext, Page } from "playwright-core";
import { openAssets, type Assets } from "../../../../core/http/assets/index.ts";

export interface PagesOptions {
  /** The host that scripts of the pages may call. Absent if they may call no host. */
  readonly connectTo?: string;
  readonly assets?: Assets;
  /** Policy directives of the pages, instead of the strictest policy; an empty string for no policy. */
  readonly policy?: string;
  /** A script that every page runs first. */
  readonly start?: string;
}

/**
 * Pages of a site that embeds dashboards. The site has its own origin, and the strictest policy under which the
 * elements must work.
 */
export interface Pages {
  readonly url: string;
  /** Policy violations and script errors of all pages. */
  readonly reports: string[];
  /** Opens an empty page. Scripts of the test fill its body. */
  open(browser: Browser, size?: { readonly width: number; readonly height: number }): Promise<Page>;
  /** Opens a page in the given browser context, such as one with an empty cache. */
  openIn(context: BrowserContext): Promise<Page>;
  close(): Promise<void>;
}

/** Collects policy violations, starting before the first script. */
function report(): void {
  document.addEventListener(
    "securitypolicyviolation",
    ({ violatedDirective, blockedURI, sample }) => {
      console.error(`policy: ${violatedDirective} ${blockedURI} ${sample}`);
    },
  );
}

/** Serves pages and the embed scripts on their own port, under a strict content security policy. */
export async function openPages({
  connectTo = "",
  assets = openAssets(),
  start = "",
  policy: given,
}: PagesOptions = {}): Promise<Pages> {
  const reports: string[] = [];
  const strictest = [
    "default-src 'none'",
    "script-src 'self'",
    "style-src 'self'",
    `connect-src 'self' ${connectTo}`,
    "require-trusted-types-for 'script'",
  ].join("; ");
  const policy = given ?? strictest;
  const server = createServer((request, response) => {
    void (async () => {
      const path = (request.url ?? "/").slice(1).split("?")[0] ?? "";
      const file = await assets.file(path);
      if (file) {
        const type = path.endsWith(".js") ? "text/javascript" : "application/octet-stream";
        response.writeHead(200, { "Content-Type": type }).end(file.bytes);
      } else if (path === "favicon.ico") response.writeHead(204).end();
      else if (path === "start.js")
        response.writeHead(200, { "Content-Type": "text/javascript" }).end(start);
      else if (path === "page.css")
        response
          .writeHead(200, { "Content-Type": "text/css" })
          .end("body { margin: 0; } main { display: grid; gap: 8px; }");
      else
        response
          .writeHead(200, {
            "Content-Type": "text/html",
            ...(policy !== "" && { "Content-Security-Policy": policy }),
          })
          .end(
            '<!doctype html><html lang="en"><title>Page</title><meta name="viewport" content="width=device-width">' +
              '<link rel="stylesheet" href="/page.css"><main></main>' +
              (start === "" ? "" : '<script type="module" src="/start.js"></script>'),
          );
    })();
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const prepare = async (page: Page): Promise<Page> => {
    page.on("console", (message) => {
      if (message.type() === "error") reports.push(message.text());
    });
    page.on("pageerror", (failure) => reports.push(String(failure)));
    await page.addInitScript(report);
    await page.goto(url);
    return page;
  };
  return {
    url,
    reports,
    async open(browser, size = { width: 1440, height: 900 }) {
      return prepare(await browser.newPage({ viewport: size }));
    },
    openIn: async (context) => prepare(await context.newPage()),
    async close() {
      server.closeAllConnections();
      await new Promise((resolve) => {
        server.close(resolve);
      });
    },
  };
}
