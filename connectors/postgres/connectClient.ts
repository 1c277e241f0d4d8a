import { isIP } from "node:net";
import { PluginError, type Reach } from "../../plugins/protocol/index.ts";
import type { Client, ClientConfig } from "pg";
import type { Settings } from "./settings.ts";

export interface ConnectClientOptions {
  readonly reach: Reach;
  /** Deadline of the connection. */
  readonly timeoutMs: number;
}

/**
 * Connects, and leaves the settings of the session as they are: each transaction sets what it needs for itself. TLS as
 * libpq names its modes: `prefer` and `require` trust every certificate, `verify-full` checks certificate and name.
 */
export async function connectClient(
  settings: Settings,
  { reach, timeoutMs }: ConnectClientOptions,
  signal: AbortSignal,
): Promise<Client> {
  const { default: pg } = await import("pg");
  const { host, port, user, password, database, tls } = settings;
  const address = await reach.address(host, port);
  const open = async (isEncrypted: boolean): Promise<Client> => {
    signal.throwIfAborted();
    const client = new pg.Client({
      host: address,
      port,
      user,
      password,
      database,
      ssl: isEncrypted ? tlsOptions(settings, address) : false,
      connectionTimeoutMillis: timeoutMs,
      keepAlive: true,
    });
    // A connection that breaks while nothing runs on it; the next use finds it ended.
    client.on("error", () => undefined);
    const onAbort = () => destroy(client);
    signal.addEventListener("abort", onAbort, { once: true });
    try {
      await client.connect();
    } catch (failure) {
      destroy(client);
      signal.throwIfAborted();
      throw failure;
    } finally {
      signal.removeEventListener("abort", onAbort);
    }
    return client;
  };
  if (tls === "disable") return open(false);
  return open(true).catch((failure: unknown) => {
    const hasNone = failure instanceof Error && failure.message.includes("does not support SSL");
    if (!hasNone) throw failure;
    if (tls === "prefer") return open(false);
    throw new PluginError("PLUGIN_INVALID", [
      `the server ${host} offers no TLS, which properties.ssl ${tls} needs`,
    ]);
  });
}

/** Closes the socket without a word to the server. */
export function destroy(client: Client): void {
  client.connection.stream.destroy();
}

export function tlsOptions({ host, ca, tls }: Settings, address: string): ClientConfig["ssl"] {
  return {
    rejectUnauthorized: tls === "verify-full",
    // The name that the certificate must have; an address is no server name of TLS.
    ...(isIP(host) === 0 ? { servername: host } : { host: address }),
    ...(ca !== undefined && { ca }),
  };
}
