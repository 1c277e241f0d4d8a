import { once } from "node:events";
import { createServer, type IncomingMessage } from "node:http";
import type { AddressInfo } from "node:net";

type Body = Readonly<Record<string, unknown>>;

/** Sends a body to the host. Resolves to the status and body of its response. */
export type Forward = (body: Body) => Promise<{ readonly status: number; readonly body: unknown }>;

/** Returns the response to send instead of the host's; undefined to pass the call on to the host. */
export type Tamper = (
  resource: string,
  body: Body,
  forward: Forward,
) => Promise<{ readonly status: number; readonly body: unknown } | undefined>;

/** A server in front of a real host. It breaks promises of the host by changing some of its responses. */
export interface TamperedHost {
  readonly url: string;
  close(): Promise<void>;
}

async function read(request: IncomingMessage): Promise<Body> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  return JSON.parse(Buffer.concat(chunks).toString()) as Body;
}

/** Opens a server that passes calls to `host`, except calls for which `tamper` returns a response. */
export async function tamperHost(host: string, tamper: Tamper): Promise<TamperedHost> {
  const server = createServer((request, response) => {
    const answer = async () => {
      const forward: Forward = async (body) => {
        const sent = await fetch(`${host}${request.url}`, {
          method: "POST",
          headers: { "Content-Type": "application/json" },
          body: JSON.stringify(body),
        });
        return { status: sent.status, body: await sent.json() };
      };
      const body = await read(request);
      const resource = (request.url ?? "").split("/").at(-1) ?? "";
      const answered = (await tamper(resource, body, forward)) ?? (await forward(body));
      response.writeHead(answered.status, { "Content-Type": "application/json" });
      response.end(JSON.stringify(answered.body));
    };
    answer().catch((failure: unknown) => response.destroy(failure as Error));
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
