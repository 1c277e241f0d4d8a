import type { Connection } from "pg";
import { PluginError } from "../../plugins/protocol/index.ts";

/**
 * Maximum bytes of one message from the server. The driver keeps the whole message in memory and turns its cells into
 * strings.
 */
const mostMessageBytes = 64 * 2 ** 20;
const headerBytes = 5;

/** Counts the bytes that a connection has received. */
export interface Received {
  sizeBytes: number;
}

const receivedBy = new WeakMap<Connection, Received>();

/** Returns the byte count of a connection. It grows only if `guardMessages` was called for the connection. */
export function receivedOf(connection: Connection): Received {
  const received = receivedBy.get(connection) ?? { sizeBytes: 0 };
  receivedBy.set(connection, received);
  return received;
}

/**
 * Closes the connection if a message is too large or does not belong to PostgreSQL's protocol. Otherwise, the driver
 * could throw an error while it reads the message, which would end the process. Call this once the driver listens to
 * the stream. The message format is described in PostgreSQL's documentation, Message Formats.
 */
export function guardMessages(connection: Connection): void {
  const { stream } = connection;
  const received = receivedOf(connection);
  const header = Buffer.alloc(headerBytes);
  let headerLength = 0;
  /** Number of bytes of the current message that have not arrived yet. */
  let missing = 0;
  const count = (chunk: Buffer) => {
    received.sizeBytes += chunk.length;
    for (let at = 0; at < chunk.length;) {
      if (missing > 0) {
        const length = Math.min(missing, chunk.length - at);
        missing -= length;
        at += length;
        continue;
      }
      header[headerLength++] = chunk[at++] ?? 0;
      if (headerLength < headerBytes) continue;
      headerLength = 0;
      // The stated length includes the bytes of the length itself, but not the type byte before it.
      const length = header.readUInt32BE(1);
      if (length > mostMessageBytes) throw tooLarge("a row", mostMessageBytes);
      missing = Math.max(0, length - 4);
    }
  };
  const listeners = stream.listeners("data");
  stream.removeAllListeners("data");
  stream.on("data", (chunk: Buffer) => {
    if (stream.destroyed) return;
    try {
      count(chunk);
      for (const listener of listeners) Reflect.apply(listener, stream, [chunk]);
    } catch (failure) {
      stream.destroy(failure instanceof PluginError ? failure : notPostgres(failure));
    }
  });
}

/** Returns the error for a part of an answer that is too large for this host. */
export function tooLarge(what: string, mostBytes: number): PluginError {
  return new PluginError("PLUGIN_INVALID", [
    `${what} of the answer is larger than ${mostBytes / 2 ** 20} MiB; select fewer columns or shorter values`,
  ]);
}

function notPostgres(cause: unknown): PluginError {
  return new PluginError("PLUGIN_SOURCE_FAILED", ["the server's answer cannot be read"], { cause });
}
