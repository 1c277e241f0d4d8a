import { PluginError, pluginErrors, type PluginErrorCode } from "../../protocol/index.ts";
import { CorrectableError } from "../correctableError.ts";
import type { Remedy } from "../remedy.ts";
import type { SentFailure } from "../serving/index.ts";

/** An error of a library inside a reader process. `code` is the error code that the library set. */
export class ReaderFailure extends Error {
  override readonly name = "ReaderFailure";
  readonly code: string | number | undefined;

  constructor(message: string, code: string | number | undefined) {
    super(message);
    this.code = code;
  }
}

/** Recreates an error that a reader process sent, as a `PluginError` or a `ReaderFailure`. */
export function receivedFailure({ name, message, code, details, remedies }: SentFailure): Error {
  if (name !== "PluginError" || !isPluginCode(code) || !details)
    return new ReaderFailure(message, code);
  return remedies
    ? new CorrectableError(code, details, { remedies: remedies.filter(isRemedy) })
    : new PluginError(code, details);
}

const isRemedy = (value: object): value is Remedy =>
  "setting" in value && typeof value.setting === "string";

function isPluginCode(code: SentFailure["code"]): code is PluginErrorCode {
  return typeof code === "string" && Object.hasOwn(pluginErrors, code);
}
