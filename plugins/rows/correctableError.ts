import { PluginError, type PluginErrorCode } from "../protocol/index.ts";
import type { Remedy } from "./remedy.ts";

/** An error that a change of settings can correct. `remedies` lists these settings. */
export class CorrectableError extends PluginError {
  readonly remedies: readonly Remedy[];

  constructor(
    code: PluginErrorCode,
    details: readonly (string | number)[],
    { remedies, ...options }: ErrorOptions & { readonly remedies: readonly Remedy[] },
  ) {
    super(code, details, options);
    this.remedies = remedies;
  }
}

/** Returns the remedies of an error, through the errors that it wraps. */
export function remediesIn(failure: unknown): readonly Remedy[] {
  if (failure instanceof CorrectableError) return failure.remedies;
  return failure instanceof Error && failure.cause !== undefined ? remediesIn(failure.cause) : [];
}
