import type { SentFailure } from "./messages.ts";

/** Writes an error as a message between processes can carry it. A `PluginError` keeps its code and details. */
export function sentFailure(thrown: unknown): SentFailure {
  if (!(thrown instanceof Error)) return { message: String(thrown) };
  const { message, name } = thrown;
  const code = codeOf(thrown);
  const details = "details" in thrown && Array.isArray(thrown.details) ? thrown.details : undefined;
  return {
    name,
    message,
    ...(code !== undefined && { code }),
    ...(details && { details }),
  };
}

/** SQLite's result code is more exact than the code of Node. */
function codeOf(thrown: Error): string | number | undefined {
  if ("errcode" in thrown && typeof thrown.errcode === "number") return thrown.errcode;
  return "code" in thrown && typeof thrown.code === "string" ? thrown.code : undefined;
}

/** Makes an error of a failure that the host sent, so that `sentFailure` writes it the same again. */
export function suppliedFailure({ message, ...members }: SentFailure): Error {
  return Object.assign(new Error(message), members);
}
