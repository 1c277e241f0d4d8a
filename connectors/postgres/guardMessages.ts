import type { Connection } from "pg";
import { PluginError } from "../../plugins/protocol/index.ts";

/** Bytes of one message of the server, which the driver holds whole, and whose cells become strings. */
const mostMessageBytes = 64 * 2 ** 20;
const headerBytes = 5;

/** Counts what a connection has received. */
export interface Received {
  sizeBytes: number;
}

const receivedBy = new WeakMap<Connection, Received>();

/** Returns the count of a connection; it grows only where the messages are guarded. */
export function receivedOf(connection: Connection): Received {
  const received = receivedBy.get(connection) ?? { sizeBytes: 0 };
  receivedBy.set(connection, received);
  return received;
}

/**
 * Closes the connection when a message is too large to read, or is not PostgreSQL's: whatever the driver throws while
 * it reads would end the process. Call it when the driver listens to the stream. Source of the form of a message:
 * PostgreSQL's documentation, Message Formats.
 */
export function guardMessages(connection: Connection): void {
  const { stream } = connection;
  const received = receivedOf(connection);
  const header = Buffer.alloc(headerBytes);
  let headerLength = 0;
  /** Bytes of the message under way that have not come yet. */
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
      // The length counts itself, and not the kind of the message before it.
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

/** The error for a part of an answer that this host cannot hold. */
export function tooLarge(what: string, mostBytes: number): PluginError {
  return new PluginError("PLUGIN_INVALID", [
    `${what} of the answer has more than ${mostBytes / 2 ** 20} MiB; ask for fewer columns or shorter values`,
  ]);
}

function notPostgres(cause: unknown): PluginError {
  return new PluginError("PLUGIN_SOURCE_FAILED", ["the server's answer cannot be read"], { cause });
}
