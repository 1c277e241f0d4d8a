import { once } from "node:events";
import {
  connect,
  createServer,
  type AddressInfo,
  type NetConnectOpts,
  type Server,
  type Socket,
} from "node:net";

/** A port of loopback in front of a server, whose connections a test counts, cuts and stalls. */
export interface Proxy {
  readonly host: string;
  readonly port: number;
  /** Connections of clients that are open. */
  readonly openCount: number;
  /** Connections that clients made so far. */
  readonly madeCount: number;
  /** Bytes that servers sent so far. */
  readonly sentBytes: number;
  /** Cuts every connection without a farewell, as a lost network does after its timeout. */
  cut(): void;
  /** Cuts the next connection after so many bytes of the server. */
  cutAfter(bytes: number): void;
  /**
   * From now on no byte passes, and connections stay open; `false` lets them pass again. `requests` holds back what
   * clients send alone, `answers` what the server sends.
   */
  stall(isStalled: boolean | "requests" | "answers"): void;
  /** Leads the next connections to another server; open ones stay where they are. */
  leadTo(target: NetConnectOpts): void;
  close(): Promise<void>;
}

/** Opens a proxy on a free port of loopback. `target` is a port or the path of a Unix socket. */
export async function openProxy(first: NetConnectOpts): Promise<Proxy> {
  let target = first;
  const pairs = new Set<readonly [client: Socket, server: Socket]>();
  let isStalled: boolean | "requests" | "answers" = false;
  /** Whether what this socket of a pair sends is held back. */
  const isHeld = (of: "requests" | "answers") => isStalled === true || isStalled === of;
  let madeCount = 0;
  let sentBytes = 0;
  let bytesOfNext = Number.POSITIVE_INFINITY;
  const server: Server = createServer((client) => {
    madeCount++;
    const upstream = connect(target);
    const pair = [client, upstream] as const;
    pairs.add(pair);
    let left = bytesOfNext;
    bytesOfNext = Number.POSITIVE_INFINITY;
    const end = () => {
      pairs.delete(pair);
      client.destroy();
      upstream.destroy();
    };
    for (const socket of pair) socket.on("error", end).on("close", end);
    client.on("data", (chunk) => upstream.write(chunk) || waitFor(client, upstream));
    upstream.on("data", (chunk: Buffer) => {
      sentBytes += chunk.length;
      const passes = chunk.subarray(0, left);
      left -= chunk.length;
      if (left <= 0) client.write(passes, () => client.resetAndDestroy());
      else if (!client.write(passes)) waitFor(upstream, client);
    });
    hold(pair);
  });
  const hold = ([client, upstream]: readonly [client: Socket, server: Socket]) => {
    for (const [socket, of] of [
      [client, "requests"],
      [upstream, "answers"],
    ] as const) {
      if (isHeld(of)) socket.pause();
      else socket.resume();
    }
  };
  /** Stops reading until what was read is written. */
  const waitFor = (from: Socket, to: Socket) => {
    from.pause();
    to.once("drain", () => {
      if (isStalled === false) from.resume();
    });
  };
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address() as AddressInfo;
  const cut = () => {
    for (const [client, upstream] of pairs) {
      client.resetAndDestroy();
      upstream.destroy();
    }
  };
  return {
    host: "127.0.0.1",
    port,
    get openCount() {
      return pairs.size;
    },
    get madeCount() {
      return madeCount;
    },
    get sentBytes() {
      return sentBytes;
    },
    cut,
    cutAfter(bytes) {
      bytesOfNext = bytes;
    },
    stall(next) {
      isStalled = next;
      for (const pair of pairs) hold(pair);
    },
    leadTo(next) {
      target = next;
    },
    async close() {
      cut();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
