import { PluginError, type PluginErrorCode } from "../../plugins/protocol/index.ts";

/** The members of an error of the driver that are read here. */
interface DriverError {
  readonly code?: string;
  readonly errno?: number;
  /** The server's own words; present on its errors only. */
  readonly sqlMessage?: string;
}

/**
 * Errors of the server by number, https://mariadb.com/docs/server/reference/error-codes and MySQL's error reference.
 */
const codes: Readonly<Record<number, PluginErrorCode>> = {
  1040: "PLUGIN_BUSY",
  1041: "PLUGIN_BUSY",
  1203: "PLUGIN_BUSY",
  1226: "PLUGIN_BUSY",
  1461: "PLUGIN_BUSY",
  1044: "PLUGIN_INVALID",
  1045: "PLUGIN_FORBIDDEN",
  1049: "PLUGIN_INVALID",
  1130: "PLUGIN_FORBIDDEN",
  1142: "PLUGIN_INVALID",
  1143: "PLUGIN_INVALID",
  1227: "PLUGIN_INVALID",
  1370: "PLUGIN_INVALID",
  // A limit of the server; a narrower query stays within it.
  1104: "PLUGIN_INVALID",
  1698: "PLUGIN_FORBIDDEN",
  1820: "PLUGIN_FORBIDDEN",
  1862: "PLUGIN_FORBIDDEN",
  3118: "PLUGIN_FORBIDDEN",
  3159: "PLUGIN_FORBIDDEN",
  4151: "PLUGIN_FORBIDDEN",
  1038: "PLUGIN_NOT_OFFERED",
  1390: "PLUGIN_NOT_OFFERED",
  1205: "PLUGIN_TIMEOUT",
  1969: "PLUGIN_TIMEOUT",
  3024: "PLUGIN_TIMEOUT",
};

/** Words in place of the server's, which name the user, the host's address, or nothing that helps. */
const texts: Readonly<Record<number, string>> = {
  1040: "it has too many connections",
  1044: "the user may not use the database",
  1045: "it refused the user or the password",
  1130: "it takes no connections from this machine",
  1203: "the user has too many connections",
  1205: "a table is locked",
  1104: "the statement would examine more rows than the server's max_join_size allows; filter the joined tables",
  1038: "an order by texts of this length; the sort buffer of the session is too small",
  1390: "statements of more than 65,535 values",
  1226: "the user has reached a limit of the server",
  1698: "it refused the user or the password",
  1969: "the statement was too slow",
  3024: "the statement was too slow",
  3118: "the user is locked",
  4151: "the user is locked",
};

/** Failures of the connection, by code of Node or of the driver. */
const connectionTexts: Readonly<Record<string, string>> = {
  ECONNREFUSED: "nothing listens there",
  ECONNRESET: "the connection was cut",
  EPIPE: "the connection was cut",
  ENOTFOUND: "there is no host of that name",
  ETIMEDOUT: "it did not answer in time",
  EHOSTUNREACH: "there is no way to it",
  ENETUNREACH: "there is no way to it",
  PROTOCOL_CONNECTION_LOST: "the connection was cut",
  HANDSHAKE_NO_SSL_SUPPORT: "it offers no encryption; set ssl to disable or prefer to do without",
};

/** The message for a connection that was closed because the server asked for the clear-text password. */
export const refusedPassword =
  "it asks for the password in clear text without TLS, so the password was not sent; enable TLS on the server, or change the user's authentication plugin";

/** Names a failure of the server, the connection or the driver. `source` is its address, where it is known. */
export function failureOf(thrown: unknown, source = "the database"): PluginError {
  if (thrown instanceof PluginError) return thrown;
  const { code = "", errno = 0, sqlMessage } = readError(thrown);
  const cause = { cause: thrown };
  if (sqlMessage !== undefined) {
    const text = texts[errno] ?? `${sqlMessage} (error ${errno})`;
    return new PluginError(codes[errno] ?? "PLUGIN_SOURCE_FAILED", [`${source}: ${text}`], cause);
  }
  // OpenSSL says in words why: the certificate has expired, is self-signed, or is for another name.
  const words =
    code === "HANDSHAKE_SSL_ERROR" ? `TLS failed: ${messageOf(thrown)}` : messageOf(thrown);
  const text = connectionTexts[code] ?? words;
  const named =
    code === "ETIMEDOUT"
      ? "PLUGIN_TIMEOUT"
      : messageOf(thrown) === refusedPassword
        ? "PLUGIN_INVALID"
        : "PLUGIN_SOURCE_FAILED";
  return new PluginError(named, [`${source}: ${text}`], cause);
}

/** Codes of connections that ended: of Node, of the driver, and of servers that end one (`ER_…` by number). */
const lostCodes = new Set(["ECONNRESET", "EPIPE", "PROTOCOL_CONNECTION_LOST"]);
/** Shutdown, a connection that was killed, and one that waited too long. */
const lostNumbers = new Set([1053, 1927, 4031]);

/** Returns whether a failure is the end of a connection. */
export function isLost(thrown: unknown): boolean {
  const { code = "", errno = 0 } = readError(thrown);
  return lostCodes.has(code) || lostNumbers.has(errno);
}

/** Reads what a thrown value says as an error of the driver. */
export function readError(thrown: unknown): DriverError {
  if (typeof thrown !== "object" || thrown === null) return {};
  const { code, errno, sqlMessage }: { readonly [Member in keyof DriverError]?: unknown } = thrown;
  return {
    ...(typeof code === "string" && { code }),
    ...(typeof errno === "number" && { errno }),
    ...(typeof sqlMessage === "string" && { sqlMessage }),
  };
}

function messageOf(thrown: unknown): string {
  return thrown instanceof Error ? thrown.message : String(thrown);
}
