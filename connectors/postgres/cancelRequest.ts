import { once } from "node:events";
import { connect as connectSocket, type Socket } from "node:net";
import { connect as connectTls, TLSSocket } from "node:tls";
import type { Client } from "pg";
import { tlsOptions, type TlsSettings } from "./connectClient.ts";

const sslRequest = 80_877_103;
const cancelCode = 80_877_102;

/**
 * Requests that the server cancel the running statement of a connection. The request is sent over a second connection
 * to the same address, which is encrypted if the first connection is. Resolves when the server has accepted the
 * request. Unlike `pg_cancel_backend`, the request contains the connection's key, so a pooler finds the right server
 * process and never cancels another client's statement. The messages are described in PostgreSQL's documentation,
 * Message Flow, Canceling Requests in Progress.
 */
export async function cancelRequest(
  client: Client,
  settings: TlsSettings,
  signal: AbortSignal,
): Promise<void> {
  const { host, port } = client;
  const path = host.startsWith("/") ? { path: `${host}/.s.PGSQL.${port}` } : { host, port };
  let socket: Socket = connectSocket(path);
  const stop = () => socket.destroy(new Error("the cancel request took too long"));
  signal.addEventListener("abort", stop, { once: true });
  try {
    signal.throwIfAborted();
    await once(socket, "connect");
    if (client.connection.stream instanceof TLSSocket)
      socket = await encrypted(socket, client, settings);
    // The socket must stay open, because PgBouncer drops the request of a client that disconnects.
    socket.write(messageOf(cancelCode, keysOf(client)));
    // The server sends no response; it closes the connection once it has accepted the request.
    socket.resume();
    await once(socket, "close");
    signal.throwIfAborted();
  } finally {
    signal.removeEventListener("abort", stop);
    socket.destroy();
  }
}

async function encrypted(socket: Socket, { host }: Client, settings: TlsSettings): Promise<Socket> {
  socket.write(messageOf(sslRequest, []));
  const [answer]: unknown[] = await once(socket, "data");
  if (String(answer) !== "S") throw new Error("the server no longer offers TLS");
  const options = tlsOptions(settings, host);
  const secure = connectTls({ ...(typeof options === "object" && options), socket });
  await once(secure, "secureConnect");
  return secure;
}

function messageOf(code: number, numbers: readonly number[]): Buffer {
  const words = [4 * (2 + numbers.length), code, ...numbers];
  const message = Buffer.alloc(4 * words.length);
  words.forEach((word, index) => message.writeInt32BE(word, 4 * index));
  return message;
}

/** The process id and secret key that the server sent when the connection was opened. */
function keysOf(client: Client): readonly number[] {
  return [
    Number("processID" in client ? client.processID : undefined),
    Number("secretKey" in client ? client.secretKey : undefined),
  ];
}
