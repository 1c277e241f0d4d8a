import { PluginError, type PluginErrorCode } from "../../plugins/protocol/index.ts";

/** The message of the error that the store's own statements raise if a joined dataset contains a key twice. */
export const repeatedKey = "a joined dataset contains the same key twice";

/**
 * Maps the names of the server's errors (ErrorCodes.cpp of ClickHouse) to codes of plugin errors. All other errors
 * count as failures of the source.
 */
const codes: Readonly<Record<string, PluginErrorCode>> = {
  AUTHENTICATION_FAILED: "PLUGIN_FORBIDDEN",
  REQUIRED_PASSWORD: "PLUGIN_FORBIDDEN",
  WRONG_PASSWORD: "PLUGIN_FORBIDDEN",
  UNKNOWN_USER: "PLUGIN_FORBIDDEN",
  IP_ADDRESS_NOT_ALLOWED: "PLUGIN_FORBIDDEN",
  DATABASE_ACCESS_DENIED: "PLUGIN_FORBIDDEN",
  ACCESS_DENIED: "PLUGIN_FORBIDDEN",
  // The query exceeded a limit of the user's profile. A query that reads less can stay within the limit.
  TOO_MANY_ROWS: "PLUGIN_INVALID",
  TOO_MANY_BYTES: "PLUGIN_INVALID",
  TOO_MANY_ROWS_OR_BYTES: "PLUGIN_INVALID",
  TIMEOUT_EXCEEDED: "PLUGIN_TIMEOUT",
  TOO_MANY_SIMULTANEOUS_QUERIES: "PLUGIN_BUSY",
  QUOTA_EXCEEDED: "PLUGIN_BUSY",
};

/** Messages for connection failures, keyed by Node's error code. */
const unreachable: Readonly<Record<string, string>> = {
  ECONNREFUSED: "the server refused the connection",
  ECONNRESET: "the connection was lost",
  EPIPE: "the connection was lost",
  ENOTFOUND: "the host name is unknown",
  EAI_AGAIN: "the host name could not be looked up",
  ETIMEDOUT: "the server did not respond",
  EHOSTUNREACH: "the server is not reachable",
  ENETUNREACH: "the server is not reachable",
  CERT_HAS_EXPIRED: "the server's certificate has expired",
  DEPTH_ZERO_SELF_SIGNED_CERT: "the server's certificate is self-signed",
  SELF_SIGNED_CERT_IN_CHAIN: "the server's certificate is signed by an unknown authority",
  UNABLE_TO_VERIFY_LEAF_SIGNATURE: "the server's certificate is signed by an unknown authority",
  ERR_TLS_CERT_ALTNAME_INVALID: "the server's certificate was issued for another host name",
};

const mostCharacters = 400;

/** Details of a failure. For the server's own errors, `type` is the name of the error. */
export interface FailureDetails {
  readonly message: string;
  readonly code?: string;
  readonly type?: string;
}

/** Returns the details of a thrown value. */
export function detailsOf(thrown: unknown): FailureDetails {
  if (!(thrown instanceof Error)) return { message: String(thrown) };
  const textOf = (value: unknown) => (typeof value === "string" ? value : undefined);
  const code = "code" in thrown ? textOf(thrown.code) : undefined;
  const type = "type" in thrown ? textOf(thrown.type) : undefined;
  return {
    message: thrown.message,
    ...(code !== undefined && { code }),
    ...(type !== undefined && { type }),
  };
}

/** Thrown if a response ends before it is complete. */
export class BrokenAnswer extends Error {
  override readonly name = "BrokenAnswer";
  readonly code = "ECONNRESET";
}

/** Messages that replace the server's own messages, which contain the user's name. */
const texts: Readonly<Record<string, string>> = {
  AUTHENTICATION_FAILED: "the server rejected the user or the password",
  REQUIRED_PASSWORD: "the server rejected the user or the password",
  WRONG_PASSWORD: "the server rejected the user or the password",
  UNKNOWN_USER: "the server rejected the user or the password",
};

/**
 * Returns a PluginError for a failure of the server or the connection. `source` names the server, if known. Messages
 * contain no password, because the server never repeats one.
 */
export function failureOf(thrown: unknown, source = "ClickHouse"): PluginError {
  if (thrown instanceof PluginError) return thrown;
  const { message, code, type } = detailsOf(thrown);
  const options = { cause: thrown };
  if (type !== undefined) {
    const text = brief(message);
    if (type === "FUNCTION_THROW_IF_VALUE_IS_NON_ZERO" && message.includes(repeatedKey))
      return new PluginError("PLUGIN_JOIN_AMBIGUOUS", [repeatedKey], options);
    if (missing.includes(type))
      return new PluginError("PLUGIN_UNKNOWN_DATASET", [`(${source}: ${text})`], options);
    const detail = isDiskFull(type, message)
      ? `${source}: its disk is full; free some space there, then send the call again (${text})`
      : `${source}: ${texts[type] ?? text}`;
    return new PluginError(codes[type] ?? "PLUGIN_SOURCE_FAILED", [detail], options);
  }
  const known = unreachable[code ?? ""];
  const text = known ?? (isBroken(message) ? "the connection was lost" : brief(message));
  return new PluginError("PLUGIN_SOURCE_FAILED", [`${source}: ${text}`], options);
}

/**
 * Returns whether the disk is full: reserving space failed, or a write failed. The server reports a failed write with
 * the code of the operation that was running.
 */
function isDiskFull(type: string, message: string): boolean {
  return type === "NOT_ENOUGH_SPACE" || /No space left on device|errno: 28\b/.test(message);
}

function isBroken(message: string): boolean {
  return /aborted|socket hang up|terminated|premature/i.test(message);
}

const lost = new Set(["ECONNRESET", "EPIPE", "ERR_STREAM_PREMATURE_CLOSE"]);

/** Returns whether a failure means that the connection is closed or the server is shutting down. */
export function isLost(thrown: unknown): boolean {
  const { message, code, type } = detailsOf(thrown);
  if (type === "ABORTED") return true;
  return type === undefined && (lost.has(code ?? "") || isBroken(message));
}

const missing = ["UNKNOWN_TABLE", "UNKNOWN_DATABASE"];

function brief(message: string): string {
  const line = message.replace(/\s+/g, " ").trim();
  return line.length > mostCharacters ? `${line.slice(0, mostCharacters)}…` : line;
}
