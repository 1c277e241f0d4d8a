import { once } from "node:events";
import { existsSync, readFileSync, statSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { extname, join, normalize } from "node:path";

const types: Readonly<Record<string, string>> = {
  ".css": "text/css",
  ".html": "text/html; charset=utf-8",
  ".js": "text/javascript",
  ".json": "application/json",
  ".png": "image/png",
  ".svg": "image/svg+xml",
  ".woff2": "font/woff2",
};

/** A server for the files of a folder, like a host of static websites. */
export interface FolderServer {
  readonly url: string;
  close(): Promise<void>;
}

/** Serves a folder on a free loopback port. `/a` returns the file `a.html`, and `/a/` returns `a/index.html`. */
export async function serveFolder(folder: string): Promise<FolderServer> {
  const server = createServer((request, response) => {
    const path = normalize(decodeURIComponent(new URL(request.url ?? "/", "http://host").pathname));
    const file = ["", ".html", "index.html"]
      .map((end) => join(folder, path + end))
      .find((each) => existsSync(each) && statSync(each).isFile());
    response.statusCode = file === undefined ? 404 : 200;
    response.setHeader("Cache-Control", "max-age=3600");
    response.setHeader("Content-Type", types[extname(file ?? ".html")] ?? "text/plain");
    response.end(readFileSync(file ?? join(folder, "404.html")));
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}`,
    async close() {
      server.closeAllConnections();
      server.close();
      await once(server, "close");
    },
  };
}
