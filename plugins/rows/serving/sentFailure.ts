import type { SentFailure } from "./messages.ts";

/**
 * Converts an error to a message that can be sent between processes. The code, the details and the
 * remedies of a `PluginError` are kept.
 */
export function sentFailure(thrown: unknown): SentFailure {
  if (!(thrown instanceof Error)) return { message: String(thrown) };
  const { message, name } = thrown;
  const code = codeOf(thrown);
  const details = "details" in thrown && Array.isArray(thrown.details) ? thrown.details : undefined;
  const remedies =
    "remedies" in thrown && Array.isArray(thrown.remedies) ? thrown.remedies : undefined;
  return {
    name,
    message,
    ...(code !== undefined && { code }),
    ...(details && { details }),
    ...(remedies && { remedies }),
  };
}

/** Returns the code of an error. SQLite's result code is more precise than Node's code. */
function codeOf(thrown: Error): string | number | undefined {
  if ("errcode" in thrown && typeof thrown.errcode === "number") return thrown.errcode;
  return "code" in thrown && typeof thrown.code === "string" ? thrown.code : undefined;
}

/** Creates an error from a failure that the host sent. `sentFailure` converts the error back to that failure. */
export function suppliedFailure({ message, ...members }: SentFailure): Error {
  return Object.assign(new Error(message), members);
}
