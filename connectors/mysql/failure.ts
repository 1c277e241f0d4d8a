import { PluginError, type PluginErrorCode } from "../../plugins/protocol/index.ts";

/** The members of the driver's errors that this file reads. */
interface DriverError {
  readonly code?: string;
  readonly errno?: number;
  /** The message of the server; absent if another part reported the failure. */
  readonly sqlMessage?: string;
}

/**
 * Codes of plugin errors, keyed by the server's error number (https://mariadb.com/docs/server/reference/error-codes and
 * MySQL's error reference).
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
  // The query exceeded a limit of the server. A query that reads less can stay within the limit.
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

/** Messages that replace the server's own. Those contain the user or the host's address, or do not help. */
const texts: Readonly<Record<number, string>> = {
  1040: "the server has too many connections",
  1044: "the user has no access to this database",
  1045: "the server rejected the user or the password",
  1130: "the server does not accept connections from this host",
  1203: "the user has too many connections",
  1205: "a table is locked",
  1104: "the statement would examine more rows than the server's max_join_size allows; filter the joined tables",
  1038: "sorting strings of this length; the session's sort buffer is too small",
  1390: "statements with more than 65,535 values",
  1226: "the user has reached a limit of the server",
  1698: "the server rejected the user or the password",
  1969: "the statement took too long",
  3024: "the statement took too long",
  3118: "the user account is locked",
  4151: "the user account is locked",
};

/** Messages for connection failures, keyed by the error code of Node or of the driver. */
const connectionTexts: Readonly<Record<string, string>> = {
  ECONNREFUSED: "the server refused the connection",
  ECONNRESET: "the connection was lost",
  EPIPE: "the connection was lost",
  ENOTFOUND: "the host name is unknown",
  ETIMEDOUT: "the server did not respond in time",
  EHOSTUNREACH: "the server is not reachable",
  ENETUNREACH: "the server is not reachable",
  PROTOCOL_CONNECTION_LOST: "the connection was lost",
  HANDSHAKE_NO_SSL_SUPPORT:
    "the server does not support TLS; set ssl to disable or prefer to allow unencrypted connections",
};

/** The message for a connection that was closed because the server requested the password in clear text. */
export const refusedPassword =
  "the server requests the password in clear text without TLS, so the password was not sent; enable TLS on the server, or change the user's authentication plugin";

/**
 * Returns a PluginError for a failure of the server, the connection or the driver. `source` is the server's address, if
 * known.
 */
export function failureOf(thrown: unknown, source = "the database"): PluginError {
  if (thrown instanceof PluginError) return thrown;
  const { code = "", errno = 0, sqlMessage } = readError(thrown);
  const cause = { cause: thrown };
  if (sqlMessage !== undefined) {
    const text = texts[errno] ?? `${sqlMessage} (error ${errno})`;
    return new PluginError(codes[errno] ?? "PLUGIN_SOURCE_FAILED", [`${source}: ${text}`], cause);
  }
  // OpenSSL's message states the reason: the certificate has expired, is self-signed, or is for another name.
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

/** Codes with which Node and the driver report closed connections. */
const lostCodes = new Set(["ECONNRESET", "EPIPE", "PROTOCOL_CONNECTION_LOST"]);
/** Server error numbers for a shutdown, a killed connection, and an idle timeout. */
const lostNumbers = new Set([1053, 1927, 4031]);

/** Returns whether a failure means that the connection is closed. */
export function isLost(thrown: unknown): boolean {
  const { code = "", errno = 0 } = readError(thrown);
  return lostCodes.has(code) || lostNumbers.has(errno);
}

/** Returns the members of a thrown value that driver errors have. */
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
