import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";

/** A request that the sink received. */
export interface TakenCall {
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

/** A server that records the requests that it receives. */
export interface HttpSink {
  readonly url: string;
  readonly calls: TakenCall[];
  /** Plans the status and headers of the next matching request. The default status is 204. */
  plan(
    status: number,
    headers?: Readonly<Record<string, string>>,
    isMeant?: (body: string) => boolean,
    text?: string,
  ): void;
  close(): Promise<void>;
}

/** Opens a sink on a free loopback port. */
export async function openHttpSink(): Promise<HttpSink> {
  const calls: TakenCall[] = [];
  interface Planned {
    readonly status: number;
    readonly headers: Readonly<Record<string, string>>;
    readonly isMeant: (body: string) => boolean;
    readonly text: string;
  }
  const planned: Planned[] = [];
  const server = createServer((request, response) => {
    const parts: Buffer[] = [];
    request.on("data", (part: Buffer) => parts.push(part));
    request.on("end", () => {
      const headers = Object.fromEntries(
        Object.entries(request.headers).map(([name, value]) => [name, String(value)]),
      );
      const body = Buffer.concat(parts).toString();
      calls.push({ headers, body });
      const place = planned.findIndex(({ isMeant }) => isMeant(body));
      const [answer] = place < 0 ? [] : planned.splice(place, 1);
      response.writeHead(answer?.status ?? 204, answer?.headers ?? {}).end(answer?.text ?? "");
    });
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/hook`,
    calls,
    plan: (status, headers = {}, isMeant = () => true, text = "") =>
      void planned.push({ status, headers, isMeant, text }),
    async close() {
      server.close();
      server.closeAllConnections();
      await once(server, "close");
    },
  };
}
