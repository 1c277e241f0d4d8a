import { createServer, request as sendRequest } from "node:http";
import { once } from "node:events";
import type { AddressInfo } from "node:net";

/** A request that passed through the proxy, and the answer to it. */
export interface Exchange {
  readonly method: string;
  readonly path: string;
  readonly headers: Readonly<Record<string, unknown>>;
  /** The parsed body. Undefined if the body is empty or not JSON. */
  readonly body: unknown;
  readonly status: number;
  /** The parsed answer. Undefined if it is empty or not JSON. */
  readonly answer: unknown;
}

/** An HTTP proxy in front of one server, which records every exchange. */
export interface RecordingProxy {
  readonly url: string;
  readonly exchanges: readonly Exchange[];
  close(): Promise<void>;
}

/** Opens a recording proxy on a free loopback port. */
export async function openRecordingProxy(target: string): Promise<RecordingProxy> {
  const exchanges: Exchange[] = [];
  const server = createServer((received, response) => {
    const forwarded = sendRequest(
      target + (received.url ?? ""),
      { method: received.method, headers: received.headers },
      (answered) => {
        void textOf(answered).then((answer) => {
          const status = answered.statusCode ?? 0;
          exchanges.push({
            method: received.method ?? "",
            path: received.url ?? "",
            headers: received.headers,
            body: parsed(sent),
            status,
            answer: parsed(answer),
          });
          response.writeHead(status, { "content-type": "application/json" }).end(answer);
        });
      },
    );
    let sent = "";
    forwarded.on("error", () => response.destroy());
    void textOf(received).then((text) => {
      sent = text;
      forwarded.end(text);
    });
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}`,
    exchanges,
    async close() {
      server.closeAllConnections();
      server.close();
      await once(server, "close");
    },
  };
}

async function textOf(message: AsyncIterable<Buffer>): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of message) chunks.push(chunk);
  return Buffer.concat(chunks).toString("utf8");
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
