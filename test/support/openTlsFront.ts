import { once } from "node:events";
import { connect, type AddressInfo, type Socket } from "node:net";
import { createServer } from "node:tls";
import { createCertificate, type TestCertificate } from "./certificate.ts";

/** A loopback port with TLS, in front of a server without TLS. */
export interface TlsFront {
  readonly port: number;
  /** Uses another certificate for all further connections. */
  use(certificate: TestCertificate): void;
  close(): Promise<void>;
}

/** Adds TLS in front of a port, like a reverse proxy. */
export async function openTlsFront(target: {
  readonly host: string;
  readonly port: number;
}): Promise<TlsFront> {
  const sockets = new Set<Socket>();
  const { certificate: cert, key } = createCertificate({ name: "front" });
  const server = createServer({ cert, key }, (client) => {
    const upstream = connect(target);
    for (const socket of [client, upstream]) {
      sockets.add(socket);
      const end = () => {
        sockets.delete(socket);
        client.destroy();
        upstream.destroy();
      };
      socket.on("error", end).on("close", end);
    }
    client.pipe(upstream).pipe(client);
  }).listen(0, "127.0.0.1");
  // A client that rejects the certificate aborts the handshake, which must not end the process.
  server.on("tlsClientError", () => undefined);
  await once(server, "listening");
  return {
    port: (server.address() as AddressInfo).port,
    use({ certificate, key: own }) {
      server.setSecureContext({ cert: certificate, key: own });
    },
    async close() {
      for (const socket of sockets) socket.destroy();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
