import { PluginError, type PluginErrorCode } from "../../plugins/protocol/index.ts";

/**
 * Codes of plugin errors by SQLSTATE (PostgreSQL documentation, appendix A). A key of two characters stands for a whole
 * class.
 */
const byState: Readonly<Record<string, PluginErrorCode>> = {
  "28": "PLUGIN_FORBIDDEN",
  "42501": "PLUGIN_INVALID",
  "3D000": "PLUGIN_INVALID",
  "53300": "PLUGIN_BUSY",
  "53400": "PLUGIN_BUSY",
  "55P03": "PLUGIN_TIMEOUT",
  "57014": "PLUGIN_TIMEOUT",
  "57P05": "PLUGIN_TIMEOUT",
};
/**
 * Messages that replace the messages of the server and of Node. The originals contain the user or this machine's
 * address, or do not help.
 */
const texts: Readonly<Record<string, string>> = {
  "28": "the server rejected the user or the password",
  "55P03": "another session holds a lock on the table",
  ECONNREFUSED: "the server refused the connection",
  ECONNRESET: "the connection was lost",
  EPIPE: "the connection was lost",
  ENOTFOUND: "the host name is unknown",
  EHOSTUNREACH: "the server is not reachable",
  ENETUNREACH: "the server is not reachable",
};
/**
 * Codes of plugin errors by message, for failures that the driver reports without a code because connecting took longer
 * than the deadline.
 */
const byMessage: Readonly<Record<string, PluginErrorCode>> = {
  "timeout expired": "PLUGIN_TIMEOUT",
};
/** Maximum characters to show of a server's message. */
const mostShown = 300;

/**
 * Returns a PluginError for a failure of the server, the network or the driver. `source` names the server, if known.
 */
export function failureOf(thrown: unknown, source = "PostgreSQL"): PluginError {
  if (thrown instanceof PluginError) return thrown;
  const { message, code } = partsOf(thrown);
  const shown = message.slice(0, mostShown);
  const named =
    code === undefined ? byMessage[message] : (byState[code] ?? byState[code.slice(0, 2)]);
  const own = code === undefined ? undefined : (texts[code] ?? texts[code.slice(0, 2)]);
  const detail = own ?? (code === undefined ? shown : `${shown} (${code})`);
  return new PluginError(named ?? "PLUGIN_SOURCE_FAILED", [`${source}: ${detail}`], {
    cause: thrown,
  });
}

/** SQLSTATEs of connections that the server has closed, and Node's error codes for closed sockets. */
const lost = /^(?:08|57P0[1-3]$|ECONNRESET$|EPIPE$)/;

/**
 * Returns whether a failure means that the connection is closed. Failures that the driver itself detects have no code
 * and are recognized by their message.
 */
export function isLost(thrown: unknown): boolean {
  const { message, code } = partsOf(thrown);
  return code === undefined ? /terminated/.test(message) : lost.test(code);
}

/** The SQLSTATE classes of data exceptions (22), and of syntax errors and access rule violations (42). */
const ofStatements = /^(?:22|42)/;

/** Returns whether the statement itself caused the failure. Its connection can then be reused. */
export function isStatementFault(thrown: unknown): boolean {
  return ofStatements.test(partsOf(thrown).code ?? "");
}

function partsOf(thrown: unknown): { readonly message: string; readonly code?: string } {
  if (!(thrown instanceof Error)) return { message: "the server gave no reason" };
  // If all attempts at several addresses fail, the error has no message of its own.
  if (thrown instanceof AggregateError && thrown.message === "") return partsOf(thrown.errors[0]);
  const code = "code" in thrown && typeof thrown.code === "string" ? thrown.code : undefined;
  return { message: thrown.message, ...(code !== undefined && { code }) };
}
