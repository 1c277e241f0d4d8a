import { connect as connectSocket } from "node:net";
import type { Connection } from "mysql2";
import type { Reach } from "../../plugins/protocol/index.ts";
import { readError } from "./failure.ts";
import type { Settings } from "./settings.ts";

export interface ConnectOptions {
  readonly reach: Reach;
  readonly timeoutMs: number;
}

/**
 * Connects to a server as the account says, and logs in. Numbers past 2^53, decimals and dates are read as text; files
 * of this machine are never sent.
 * @throws the driver's error, and PLUGIN_INVALID where `reach` does not allow the address
 */
export async function connect(
  settings: Settings,
  options: ConnectOptions,
  signal: AbortSignal,
): Promise<Connection> {
  if (settings.ssl !== "prefer")
    return await attempt(settings, settings.ssl !== "disable", options, signal);
  try {
    return await attempt(settings, true, options, signal);
  } catch (failure) {
    if (readError(failure).code !== "HANDSHAKE_NO_SSL_SUPPORT") throw failure;
    return await attempt(settings, false, options, signal);
  }
}

async function attempt(
  { host, port, user, password, database, ssl, authority }: Settings,
  isEncrypted: boolean,
  { reach, timeoutMs }: ConnectOptions,
  signal: AbortSignal,
): Promise<Connection> {
  signal.throwIfAborted();
  const { createConnection } = await import("mysql2");
  const address = await reach.address(host, port);
  signal.throwIfAborted();
  const isVerified = ssl === "verify-full";
  const connection = createConnection({
    host,
    port,
    user,
    password,
    ...(database !== undefined && { database }),
    // The driver checks certificates against `host`, and the socket connects to the address that was allowed.
    stream: () => connectSocket({ host: address, port, noDelay: true, keepAlive: true }),
    ...(isEncrypted && {
      ssl: {
        rejectUnauthorized: isVerified,
        verifyIdentity: isVerified,
        ...(authority !== undefined && { ca: authority }),
      },
    }),
    connectTimeout: Math.min(timeoutMs, 10_000),
    charset: "utf8mb4",
    timezone: "Z",
    rowsAsArray: true,
    supportBigNumbers: true,
    bigNumberStrings: true,
    dateStrings: true,
    jsonStrings: true,
    multipleStatements: false,
    // Rows are read by loops over the column types: no name of a column becomes code.
    disableEval: true,
    flags: ["-LOCAL_FILES"],
    maxPreparedStatements: 64,
  });
  const connected = Promise.withResolvers<void>();
  const end = () => connected.reject(signal.reason);
  signal.addEventListener("abort", end, { once: true });
  connection.on("error", connected.reject);
  connection.once("connect", () => connected.resolve());
  try {
    await connected.promise;
    return connection;
  } catch (failure) {
    connection.destroy();
    throw failure;
  } finally {
    signal.removeEventListener("abort", end);
  }
}
