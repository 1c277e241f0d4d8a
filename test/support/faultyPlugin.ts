import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";

/** Creates the response to a /query call, which may be faulty. `good` is the response of a working plugin. */
export type Answering = (response: ServerResponse, good: unknown) => void;

/**
 * A plugin over HTTP. The test chooses in which way its responses to /query are faulty. All other responses are
 * correct.
 */
export interface FaultyPlugin {
  readonly url: string;
  /** Returns the number of /query calls so far. */
  queryCount(): number;
  /** Sets the response to all later /query calls. Undefined restores correct responses. */
  behave(answering: Answering | undefined): void;
  close(): Promise<void>;
}

export interface FaultyPluginOptions {
  readonly capabilities: unknown;
  readonly datasets: unknown;
  /** Returns the correct response to a /query body. */
  readonly answer: (body: { readonly [member: string]: unknown }) => unknown;
}

export async function openFaultyPlugin(options: FaultyPluginOptions): Promise<FaultyPlugin> {
  let behavior: Answering | undefined;
  let queryCount = 0;
  const handle = async (request: IncomingMessage, response: ServerResponse) => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    const json = (value: unknown) =>
      response.setHeader("Content-Type", "application/json").end(JSON.stringify(value));
    switch (request.url) {
      case "/capabilities":
        return json(options.capabilities);
      case "/datasets":
        return json(options.datasets);
      case "/query": {
        queryCount++;
        const good = options.answer(JSON.parse(Buffer.concat(chunks).toString()) as never);
        return behavior ? behavior(response, good) : json(good);
      }
      case undefined:
        return response.writeHead(404).end();
    }
  };
  // If handling a call fails, the unhandled rejection stops the test file.
  const server = createServer((request, response) => void handle(request, response));
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    queryCount: () => queryCount,
    behave(answering) {
      behavior = answering;
    },
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}
