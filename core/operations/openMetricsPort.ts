import { createServer } from "node:http";
import type { Metrics } from "./createMetrics.ts";

export interface MetricsPort {
  readonly url: string;
  close(): Promise<void>;
}

/** Names by which a machine calls itself: a page of elsewhere may point its own name at this port. */
const ownNames: ReadonlySet<string> = new Set(["127.0.0.1", "localhost"]);

/**
 * Serves the metrics to whoever is on this machine, and nothing else.
 * @throws {Error} of Node.js when the port is taken
 */
export async function openMetricsPort(metrics: Metrics, port: number): Promise<MetricsPort> {
  const server = createServer((request, response) => {
    const [name = ""] = (request.headers.host ?? "").split(":");
    if (!ownNames.has(name)) response.writeHead(403).end();
    else if (request.method !== "GET" || request.url !== "/metrics") response.writeHead(404).end();
    else
      metrics.write().then(
        ({ text, contentType }) =>
          response.writeHead(200, { "Content-Type": contentType }).end(text),
        () => response.writeHead(500).end(),
      );
  });
  await new Promise<void>((resolve, reject) => {
    server.once("error", reject);
    server.listen(port, "127.0.0.1", resolve);
  });
  const address = server.address();
  if (address === null || typeof address === "string") throw new TypeError("the port has a number");
  return {
    url: `http://127.0.0.1:${address.port}/metrics`,
    async close() {
      server.closeAllConnections();
      await new Promise((resolve) => {
        server.close(resolve);
      });
    },
  };
}
