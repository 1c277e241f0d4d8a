import { PluginError, pluginErrors, type PluginErrorCode } from "../../protocol/index.ts";
import type { SentFailure } from "./messages.ts";

/** A failure of a library inside a reader process; `code` is the library's own. */
export class ReaderFailure extends Error {
  override readonly name = "ReaderFailure";
  readonly code: string | number | undefined;

  constructor(message: string, code: string | number | undefined) {
    super(message);
    this.code = code;
  }
}

/** Writes an error as a message between processes can carry it. */
export function sentFailure(thrown: unknown): SentFailure {
  if (thrown instanceof PluginError)
    return { message: thrown.message, code: thrown.code, details: thrown.details };
  if (!(thrown instanceof Error)) return { message: String(thrown) };
  const code = codeOf(thrown);
  return { message: thrown.message, ...(code !== undefined && { code }) };
}

/** SQLite's result code is more exact than the code of Node. */
function codeOf(thrown: Error): string | number | undefined {
  if ("errcode" in thrown && typeof thrown.errcode === "number") return thrown.errcode;
  return "code" in thrown && typeof thrown.code === "string" ? thrown.code : undefined;
}

/** Makes the error again: a `PluginError`, or a `ReaderFailure`. */
export function receivedFailure({ message, code, details }: SentFailure): Error {
  return isPluginCode(code) && details
    ? new PluginError(code, details)
    : new ReaderFailure(message, code);
}

function isPluginCode(code: SentFailure["code"]): code is PluginErrorCode {
  return typeof code === "string" && Object.hasOwn(pluginErrors, code);
}
