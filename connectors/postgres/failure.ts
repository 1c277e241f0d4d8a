import { PluginError, type PluginErrorCode } from "../../plugins/protocol/index.ts";

/** Failures by SQLSTATE (PostgreSQL documentation, appendix A); the first two characters name a class. */
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
/** Words in place of the server's and of Node's, which name the user, this machine's address, or nothing that helps. */
const texts: Readonly<Record<string, string>> = {
  "28": "it refused the user or the password",
  "55P03": "another session holds a lock on the table",
  ECONNREFUSED: "nothing listens there",
  ECONNRESET: "the connection was cut",
  EPIPE: "the connection was cut",
  ENOTFOUND: "there is no host of that name",
  EHOSTUNREACH: "there is no way to it",
  ENETUNREACH: "there is no way to it",
};
/** Failures of the driver that have no code: a connection that takes longer than its deadline. */
const byMessage: Readonly<Record<string, PluginErrorCode>> = {
  "timeout expired": "PLUGIN_TIMEOUT",
};
/** Characters of a server's message that are shown. */
const mostShown = 300;

/** Names a failure of the server, the network or the driver. `source` names the server, where it is known. */
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

/** SQLSTATEs of a server that ends a connection, and codes of sockets that ended. */
const lost = /^(?:08|57P0[1-3]$|ECONNRESET$|EPIPE$)/;

/** Returns whether a failure is the end of a connection; the driver names one that it met itself without a code. */
export function isLost(thrown: unknown): boolean {
  const { message, code } = partsOf(thrown);
  return code === undefined ? /terminated/.test(message) : lost.test(code);
}

/** SQLSTATE classes of data exceptions (22), and of syntax errors and access rule violations (42). */
const ofStatements = /^(?:22|42)/;

/** Returns whether the statement was at fault, so that its connection can be used again. */
export function isStatementFault(thrown: unknown): boolean {
  return ofStatements.test(partsOf(thrown).code ?? "");
}

function partsOf(thrown: unknown): { readonly message: string; readonly code?: string } {
  if (!(thrown instanceof Error)) return { message: "it failed without a reason" };
  // Attempts at several addresses fail together, without a message of their own.
  if (thrown instanceof AggregateError && thrown.message === "") return partsOf(thrown.errors[0]);
  const code = "code" in thrown && typeof thrown.code === "string" ? thrown.code : undefined;
  return { message: thrown.message, ...(code !== undefined && { code }) };
}
