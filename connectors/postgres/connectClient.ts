import { isIP } from "node:net";
import { TLSSocket } from "node:tls";
import { type Encryption, PluginError, type Reach } from "../../plugins/protocol/index.ts";
import type { Client, ClientConfig } from "pg";
import { guardMessages } from "./guardMessages.ts";
import type { TlsMode } from "../../plugins/sql/index.ts";
import type { Settings } from "./settings.ts";

export interface ConnectClientOptions {
  readonly reach: Reach;
  /** Deadline for connecting, in milliseconds. */
  readonly timeoutMs: number;
}

/**
 * Connects to a server. Changes no settings of the session, because each transaction sets the settings that it needs.
 * TLS modes have libpq's names: `prefer` and `require` trust every certificate, `verify-ca` checks the certificate, and
 * `verify-full` also checks the host name. `require` with an authority means `verify-ca`. Without TLS, the password is
 * never sent in clear text, and an MD5 hash of it is never sent to a public address.
 */
export async function connectClient(
  settings: Settings,
  { reach, timeoutMs }: ConnectClientOptions,
  signal: AbortSignal,
): Promise<Client> {
  const { default: pg } = await import("pg");
  const { host, port, user, password, database } = settings;
  const address = await reach.address(host, port);
  const tls = tlsModeOf(settings, reach.isPublic(address));
  const open = async (isEncrypted: boolean): Promise<Client> => {
    signal.throwIfAborted();
    let requested: "MD5" | "clear" | undefined;
    const client = new pg.Client({
      host: address,
      port,
      user,
      // The driver calls this once the server has chosen an authentication method.
      password: () => {
        if (isEncrypted || requested === undefined) return password;
        if (requested === "MD5" && !reach.isPublic(address)) return password;
        throw refusedPassword(host, requested);
      },
      database,
      ssl: isEncrypted ? tlsOptions({ ...settings, tls }, address) : false,
      connectionTimeoutMillis: timeoutMs,
      keepAlive: true,
    });
    client.connection.once("authenticationCleartextPassword", () => (requested = "clear"));
    client.connection.once("authenticationMD5Password", () => (requested = "MD5"));
    // The connection broke while it was idle. Its next user will find that it is closed.
    client.on("error", () => undefined);
    const onAbort = () => destroy(client);
    signal.addEventListener("abort", onAbort, { once: true });
    // The driver listens to the stream only once the stream carries PostgreSQL's protocol.
    client.connection.once("sslconnect", () => guardMessages(client.connection));
    try {
      const connecting = client.connect();
      if (!isEncrypted) guardMessages(client.connection);
      await connecting;
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
      settings.tls === undefined
        ? `the server ${host} has a public address and offers no TLS; enable TLS on the server, or set properties.ssl to prefer or disable to allow unencrypted connections`
        : `the server ${host} offers no TLS, which properties.ssl ${tls} requires`,
    ]);
  });
}

/** Closes the socket without notifying the server. */
export function destroy(client: Client): void {
  client.connection.stream.destroy();
}

/**
 * Returns the TLS mode of a connection. If the account sets no mode, it depends on whether the address is public.
 */
export function tlsModeOf({ tls, ca }: Settings, isPublic: boolean): TlsMode {
  if (tls === "require" && ca !== undefined) return "verify-ca";
  return tls ?? (isPublic ? "verify-full" : "prefer");
}

/** Returns how a connected client is protected. */
export function encryptionOf(client: Client, settings: Settings, reach: Reach): Encryption {
  if (!(client.connection.stream instanceof TLSSocket)) return "clear";
  const isVerified = tlsModeOf(settings, reach.isPublic(client.host)).startsWith("verify");
  return isVerified ? "verified" : "encrypted";
}

function refusedPassword(host: string, requested: string): PluginError {
  const form = requested === "clear" ? "in clear text" : `as an ${requested} hash`;
  return new PluginError("PLUGIN_INVALID", [
    `the server ${host} requests the password ${form} without TLS, so the password was not sent; enable TLS on the server, or configure scram-sha-256`,
  ]);
}

export type TlsSettings = Pick<Settings, "host" | "ca"> & { readonly tls: TlsMode };

export function tlsOptions({ host, ca, tls }: TlsSettings, address: string): ClientConfig["ssl"] {
  return {
    rejectUnauthorized: tls.startsWith("verify"),
    ...(tls === "verify-ca" && { checkServerIdentity: () => undefined }),
    // The name that the certificate must contain. TLS does not allow an IP address as a server name.
    ...(isIP(host) === 0 ? { servername: host } : { host: address }),
    ...(ca !== undefined && { ca }),
  };
}
