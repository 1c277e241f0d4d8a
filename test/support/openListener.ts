import { once } from "node:events";
import { createServer, type AddressInfo, type Socket } from "node:net";

/** A server that accepts connections, and records the bytes that arrive on each of them. */
export interface Listener {
  readonly port: number;
  /** Bytes received on each connection, in connection order. */
  readonly heard: Buffer[];
  close(): Promise<void>;
}

/**
 * Opens a listener on a free loopback port. It sends `greeting` on each connection, and calls `answer` after each
 * received chunk.
 */
export async function openListener(
  answer?: (socket: Socket, part: Buffer, count: number) => void,
  greeting?: Buffer,
): Promise<Listener> {
  const heard: Buffer[] = [];
  const sockets = new Set<Socket>();
  const server = createServer((socket) => {
    const place = heard.push(Buffer.alloc(0)) - 1;
    let count = 0;
    sockets.add(socket);
    if (greeting) socket.write(greeting);
    socket.on("error", () => undefined);
    socket.on("data", (part: Buffer) => {
      heard[place] = Buffer.concat([heard[place] ?? Buffer.alloc(0), part]);
      answer?.(socket, part, count++);
    });
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  return {
    port: (server.address() as AddressInfo).port,
    heard,
    async close() {
      server.close();
      for (const socket of sockets) socket.destroy();
      await once(server, "close");
    },
  };
}
