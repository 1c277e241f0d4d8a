import { connect as connectSocket, isIP } from "node:net";
import type { Connection, ConnectionOptions } from "mysql2";
import { type Encryption, PluginError, type Reach } from "../../plugins/protocol/index.ts";
import { readError, refusedPassword } from "./failure.ts";
import type { TlsMode } from "../../plugins/sql/index.ts";
import { loadMysql, type Mysql } from "./loadMysql.ts";
import type { Settings } from "./settings.ts";

export interface ConnectOptions {
  readonly reach: Reach;
  readonly timeoutMs: number;
  /** URL of the driver's main module; undefined for the package next to this connector. */
  readonly driverUrl?: string;
}

/**
 * Connects to an account's server and logs in. The driver reads numbers beyond 2^53, decimals and dates as strings. The
 * connection never sends files of this machine.
 * @throws the driver's error, or PLUGIN_INVALID if `reach` does not allow the address
 */
export async function connect(
  settings: Settings,
  options: ConnectOptions,
  signal: AbortSignal,
): Promise<Connection> {
  const { host, port } = settings;
  signal.throwIfAborted();
  const address = await options.reach.address(host, port);
  const isPublic = options.reach.isPublic(address);
  const ssl = sslModeOf(settings, isPublic);
  if (settings.ssl === undefined && isPublic && isIP(host) !== 0)
    throw new PluginError("PLUGIN_INVALID", [
      "host must be a name if the server has a public address, because certificates are checked against the name; set host to the server's name, or set ssl to verify-ca and ca to the server's certificate authority",
    ]);
  const { timeoutMs, driverUrl } = options;
  const at = { ...settings, ssl, address, timeoutMs, driverUrl };
  if (ssl !== "prefer") return await attempt(at, ssl !== "disable", signal);
  try {
    return await attempt(at, true, signal);
  } catch (failure) {
    if (readError(failure).code !== "HANDSHAKE_NO_SSL_SUPPORT") throw failure;
    return await attempt(at, false, signal);
  }
}

/**
 * Returns the TLS mode of a connection. If the account sets no mode, it depends on whether the address is public.
 */
function sslModeOf({ ssl, authority }: Settings, isPublic: boolean): TlsMode {
  if (ssl === "require" && authority !== undefined) return "verify-ca";
  return ssl ?? (isPublic ? "verify-full" : "prefer");
}

/**
 * Refuses authentication methods that would send the password in clear text, either over a connection without TLS or to
 * a server that impersonates the account's server.
 */
function refusePasswords({ authPlugins }: Mysql): ConnectionOptions {
  const refuse = () => {
    throw new Error(refusedPassword);
  };
  return {
    authPlugins: {
      // If the server has cached the password, the driver sends a hash. Otherwise it would encrypt the password with
      // any key that the server presents.
      caching_sha2_password: authPlugins.caching_sha2_password({
        overrideIsSecure: false,
        onServerPublicKey: refuse,
      }),
      sha256_password: () => refuse,
      mysql_clear_password: () => refuse,
    },
  };
}

const encryptions = new WeakMap<Connection, Encryption>();

/** Returns how a connection opened by `connect` is protected. */
export const encryptionOf = (connection: Connection): Encryption | undefined =>
  encryptions.get(connection);

interface Attempt extends Settings {
  readonly ssl: TlsMode;
  readonly address: string;
  readonly timeoutMs: number;
  readonly driverUrl: string | undefined;
}

async function attempt(
  { host, port, user, password, database, ssl, authority, address, timeoutMs, driverUrl }: Attempt,
  isEncrypted: boolean,
  signal: AbortSignal,
): Promise<Connection> {
  signal.throwIfAborted();
  const driver = await loadMysql(driverUrl);
  const { createConnection } = driver;
  signal.throwIfAborted();
  const connection = createConnection({
    host,
    port,
    user,
    password,
    ...(database !== undefined && { database }),
    // The driver checks the certificate against `host`, but the socket connects to the allowed address.
    stream: () => connectSocket({ host: address, port, noDelay: true, keepAlive: true }),
    ...(!isEncrypted && refusePasswords(driver)),
    ...(isEncrypted && {
      ssl: {
        rejectUnauthorized: ssl.startsWith("verify"),
        verifyIdentity: ssl === "verify-full",
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
    // The driver reads rows with loops over the column types, so column names never become part of generated code.
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
    const isVerified = ssl.startsWith("verify");
    encryptions.set(connection, isEncrypted ? (isVerified ? "verified" : "encrypted") : "clear");
    return connection;
  } catch (failure) {
    connection.destroy();
    throw failure;
  } finally {
    signal.removeEventListener("abort", end);
  }
}
