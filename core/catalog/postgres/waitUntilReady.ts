import { setTimeout as pause } from "node:timers/promises";
import { Client } from "pg";
import { codeOf } from "../../base/index.ts";

/** Connection settings of an embedded server, which has a single role. */
export interface ServerAddress {
  /** The folder that contains the Unix socket, or a loopback address on Windows. */
  readonly host: string;
  readonly port: number;
  readonly user: string;
  readonly password: string;
  readonly ssl: false;
}

const startMs = 60_000;

/**
 * Codes of failures while a server starts. With ENOENT and ECONNREFUSED, there is no socket yet. With 57P03, the server
 * reports that it is starting.
 */
const starting = new Set(["ENOENT", "ECONNREFUSED", "ECONNRESET", "57P03"]);

/**
 * Resolves when the server accepts connections. `reason` returns the reason why the server has exited, if it has.
 * @throws {Error} if the server does not start
 */
export async function waitUntilReady(
  address: ServerAddress,
  reason: () => string | undefined,
): Promise<void> {
  for (const end = Date.now() + startMs; ; await pause(20)) {
    const connectionTimeoutMillis = Math.max(1_000, end - Date.now());
    const client = new Client({ ...address, database: "postgres", connectionTimeoutMillis });
    client.on("error", () => undefined);
    try {
      await client.connect();
      await client.end();
      return;
    } catch (cause) {
      await client.end().catch(() => undefined);
      const ended = reason();
      if (ended !== undefined)
        throw new Error(`the embedded PostgreSQL did not start: ${ended}`, { cause });
      if (!starting.has(String(codeOf(cause))) || Date.now() > end)
        throw new Error("the embedded PostgreSQL does not respond", { cause });
    }
  }
}
