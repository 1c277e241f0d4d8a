import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import { createClient } from "@manifold-analytics/client";
import { bundlePage, type Framework } from "./bundlePage.ts";

export interface PageOptions {
  readonly framework: Framework;
  readonly hostUrl: string;
  /** The key of an owner. The key and its token never leave this server. */
  readonly key: string;
  readonly token: string;
  readonly dashboardId: string;
  /** The ids of the datasets that the dashboard's items query. */
  readonly datasetIds: readonly string[];
  readonly port?: number;
}

export interface ServedPage {
  readonly url: string;
  close(): Promise<void>;
}

/**
 * Lifetime of a token in minutes. After the session of a reader on this server has expired, the reader can still use
 * the page for this long.
 */
const tokenMinutes = 15;

/**
 * Serves the page of a framework, and two routes for the page: the settings of the dashboard, and a token that can read
 * and change only that dashboard. In your own server, return tokens only to users who are signed in.
 */
export async function servePage(options: PageOptions): Promise<ServedPage> {
  const { framework, hostUrl, key, token, dashboardId, datasetIds, port = 0 } = options;
  const scripts = await bundlePage(framework);
  const client = createClient({ url: hostUrl, key, token });
  // In this example the browser compiles Angular's templates, which needs `eval`. Builds with Angular's own tools do
  // not need it.
  const evaluation = framework === "angular" ? " 'unsafe-eval'" : "";
  const policy = [
    "default-src 'none'",
    `script-src 'self' ${hostUrl}${evaluation}`,
    "style-src 'self'",
    `connect-src 'self' ${hostUrl}`,
    "require-trusted-types-for 'script'",
  ].join("; ");

  async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const send = (type: string, text: string) =>
      response
        .writeHead(200, { "Content-Type": type, "Content-Security-Policy": policy })
        .end(text);
    const path = request.url ?? "/";
    const script = scripts.get(path);
    if (script !== undefined) send("text/javascript", script);
    else if (path === "/")
      send(
        "text/html",
        '<!doctype html><html lang="en"><meta charset="utf-8"><title>Trips</title>' +
          '<meta name="viewport" content="width=device-width">' +
          '<main></main><script type="module" src="/page.js"></script>',
      );
    else if (path === "/settings")
      send("application/json", JSON.stringify({ host: hostUrl, dashboard: dashboardId }));
    else if (path === "/favicon.ico") response.writeHead(204).end();
    else if (path !== "/token") response.writeHead(404).end();
    else if (request.method !== "POST" || request.headers["sec-fetch-site"] !== "same-origin")
      response.writeHead(403).end();
    else {
      const issued = await client.create("authorization", {
        type: "embed",
        username: "reader-1",
        role: "designer",
        access: {
          dashboards: [{ id: dashboardId, rights: "modify" }],
          datasets: datasetIds.map((id) => ({ id, rights: "use" as const })),
        },
        allowed_origins: [`http://${request.headers.host}`],
        expiry: new Date(Date.now() + tokenMinutes * 60_000).toISOString(),
      });
      const { id, token, expiry } = issued;
      send("application/json", JSON.stringify({ id, token, expiry }));
    }
  }

  const server = createServer((request, response) => {
    answer(request, response).catch((failure: unknown) => {
      console.error(failure);
      response.writeHead(502).end();
    });
  });
  await new Promise<void>((resolve) => server.listen(port, "127.0.0.1", resolve));
  const address = server.address();
  if (address === null || typeof address === "string") throw new Error("the page has no port");
  return {
    url: `http://127.0.0.1:${address.port}`,
    async close() {
      server.closeAllConnections();
      await new Promise((resolve) => {
        server.close(resolve);
      });
    },
  };
}
