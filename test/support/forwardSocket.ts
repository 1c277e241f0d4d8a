import { connect, createServer, type AddressInfo, type Socket } from "node:net";

/** A free loopback port that forwards to a Unix socket. */
export interface Forwarded {
  readonly host: string;
  readonly port: number;
  close(): Promise<void>;
}

/** Opens a loopback port for a server that listens only on a Unix socket, such as the test server. */
export async function forwardSocket(path: string): Promise<Forwarded> {
  const sockets = new Set<Socket>();
  const server = createServer((incoming) => {
    const outgoing = connect(path);
    for (const socket of [incoming, outgoing]) {
      sockets.add(socket);
      socket.once("close", () => {
        sockets.delete(socket);
        incoming.destroy();
        outgoing.destroy();
      });
      // When one side of the connection closes, the other side is closed too, so that clients notice.
      socket.on("error", () => socket.destroy());
    }
    incoming.pipe(outgoing).pipe(incoming);
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  return {
    host: "127.0.0.1",
    port,
    async close() {
      for (const socket of sockets) socket.destroy();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
