import { once } from "node:events";
import {
  connect,
  createServer,
  type AddressInfo,
  type NetConnectOpts,
  type Server,
  type Socket,
} from "node:net";

/** A loopback port in front of a server. A test can count, cut and stall its connections. */
export interface Proxy {
  readonly host: string;
  readonly port: number;
  /** The number of open client connections. */
  readonly openCount: number;
  /** The number of connections that clients have made. */
  readonly madeCount: number;
  /** The number of bytes that servers have sent. */
  readonly sentBytes: number;
  /** Cuts every connection without notice, as a broken network does after a timeout. */
  cut(): void;
  /** Cuts the next connection after the server has sent this many bytes. */
  cutAfter(bytes: number): void;
  /**
   * Stops forwarding bytes but keeps connections open: `requests` stops only bytes from clients, `answers` stops only
   * bytes from servers, and `true` stops all bytes. `false` resumes forwarding.
   */
  stall(isStalled: boolean | "requests" | "answers"): void;
  /** Directs new connections to another server. Open connections keep their server. */
  leadTo(target: NetConnectOpts): void;
  close(): Promise<void>;
}

/** Opens a proxy on a free loopback port. The target is a port or the path of a Unix socket. */
export async function openProxy(first: NetConnectOpts): Promise<Proxy> {
  let target = first;
  const pairs = new Set<readonly [client: Socket, server: Socket]>();
  let isStalled: boolean | "requests" | "answers" = false;
  /** Returns whether the proxy holds back the bytes that one side of a connection sends. */
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
  /** Pauses reading until all bytes read so far have been written. */
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
