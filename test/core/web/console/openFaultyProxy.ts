import { connect, createServer, type AddressInfo, type Socket } from "node:net";

/** A loopback address that forwards to a server. A test can cut its connections, or make them wait. */
export interface FaultyProxy {
  readonly url: string;
  /** Cuts the connection that next sends this many bytes, after passing them on. Returns when they have arrived. */
  cutAfter(sentBytes: number): Promise<void>;
  /** Lets no more bytes to the server after this many, until `release`. Returns when they have arrived. */
  holdAfter(sentBytes: number): Promise<void>;
  /** Lets no answers to clients until `release`. */
  holdAnswers(): void;
  release(): void;
  close(): Promise<void>;
}

interface Fault {
  readonly sentBytes: number;
  readonly fromBytes: ReadonlyMap<Socket, number>;
  strike(pair: Pair): void;
}
interface Pair {
  readonly incoming: Socket;
  readonly outgoing: Socket;
}

/** Opens a proxy in front of a host. The caller closes it. */
export async function openFaultyProxy(url: string): Promise<FaultyProxy> {
  const port = Number(new URL(url).port);
  const pairs = new Set<Pair>();
  let fault: Fault | undefined;
  let isSilent = false;
  const server = createServer((incoming) => {
    const pair = { incoming, outgoing: connect(port, "127.0.0.1") };
    const { outgoing } = pair;
    pairs.add(pair);
    const end = () => {
      pairs.delete(pair);
      incoming.destroy();
      // The server still receives what the client has sent.
      outgoing.end();
    };
    for (const socket of [incoming, outgoing]) socket.on("error", end).on("close", end);
    incoming.on("data", (bytes) => {
      outgoing.write(bytes);
      const own = incoming.bytesRead - (fault?.fromBytes.get(incoming) ?? 0);
      if (!fault || own < fault.sentBytes) return;
      const struck = fault;
      fault = undefined;
      struck.strike(pair);
    });
    outgoing.on("data", (bytes) => void incoming.write(bytes));
    if (isSilent) outgoing.pause();
  });
  const faultAfter = (bytes: number, strike: (pair: Pair) => void) =>
    new Promise<void>((resolve) => {
      fault = {
        sentBytes: bytes,
        fromBytes: new Map([...pairs].map(({ incoming }) => [incoming, incoming.bytesRead])),
        strike(pair) {
          strike(pair);
          resolve();
        },
      };
    });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    cutAfter: (bytes) =>
      faultAfter(bytes, ({ incoming, outgoing }) => {
        incoming.pause();
        // The server is given these bytes first, so that it has more of them than fit into the buffers of sockets.
        if (outgoing.writableLength === 0) incoming.destroy();
        else outgoing.once("drain", () => incoming.destroy());
      }),
    holdAfter: (bytes) => faultAfter(bytes, ({ incoming }) => incoming.pause()),
    holdAnswers() {
      isSilent = true;
      for (const { outgoing } of pairs) outgoing.pause();
    },
    release() {
      isSilent = false;
      for (const { incoming, outgoing } of pairs) {
        incoming.resume();
        outgoing.resume();
      }
    },
    async close() {
      for (const { incoming } of pairs) incoming.destroy();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
