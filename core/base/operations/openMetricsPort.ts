import { createServer } from "node:http";
import { listen } from "../process/index.ts";
import type { Metrics } from "./createMetrics.ts";

export interface MetricsPort {
  readonly url: string;
  close(): Promise<void>;
}

/**
 * Names of this machine that a request may use as its host. Requests with other names are refused, because another
 * website can point its own name at this port.
 */
const ownNames: ReadonlySet<string> = new Set(["127.0.0.1", "localhost"]);

/**
 * Serves the metrics at `/metrics`, and nothing else, to callers on this machine.
 * @throws {Error} naming the setting if the port is taken
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
  const url = await listen(server, { host: "127.0.0.1", port }, "MANIFOLD_METRICS");
  return {
    url: `${url}/metrics`,
    async close() {
      server.closeAllConnections();
      await new Promise((resolve) => {
        server.close(resolve);
      });
    },
  };
}
