import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";

/** Answers one call of /query, well or badly; `good` is what a sound plugin sends. */
export type Answering = (response: ServerResponse, good: unknown) => void;

/** A plugin over HTTP that answers /query as it is told to, and everything else well. */
export interface FaultyPlugin {
  readonly url: string;
  /** Calls of /query so far. */
  queryCount(): number;
  /** From now on /query is answered so; undefined: well. */
  behave(answering: Answering | undefined): void;
  close(): Promise<void>;
}

export interface FaultyPluginOptions {
  readonly capabilities: unknown;
  readonly datasets: unknown;
  /** The sound answer to a body of /query. */
  readonly answer: (body: { readonly [member: string]: unknown }) => unknown;
}

export async function openFaultyPlugin(options: FaultyPluginOptions): Promise<FaultyPlugin> {
  let behaviour: Answering | undefined;
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
        return behaviour ? behaviour(response, good) : json(good);
      }
      case undefined:
        return response.writeHead(404).end();
    }
  };
  // A failure ends the test file.
  const server = createServer((request, response) => void handle(request, response));
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    queryCount: () => queryCount,
    behave(answering) {
      behaviour = answering;
    },
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}
