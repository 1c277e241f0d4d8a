import { ClientError } from "../../core/web/client/index.ts";
import { ApiError } from "../../core/base/errors.ts";
import { PluginError } from "../../plugins/protocol/index.ts";

async function thrownBy(run: Promise<unknown>): Promise<unknown> {
  return run.then(
    () => new Error("the call was not refused"),
    (thrown: unknown) => thrown,
  );
}

/** Resolves to the error with which a host refuses a call. Any other result fails the test. */
export async function refused(calling: Promise<unknown>): Promise<ClientError> {
  const failure = await thrownBy(calling);
  if (failure instanceof ClientError) return failure;
  throw failure;
}

/** Resolves to the error with which a function of the host refuses. Any other result fails the test. */
export async function refusal(run: Promise<unknown>): Promise<ApiError | PluginError> {
  const failure = await thrownBy(run);
  if (failure instanceof ApiError || failure instanceof PluginError) return failure;
  throw failure;
}

/** Resolves to the plugin error with which a plugin refuses a call. Any other result fails the test. */
export async function failureOf(run: Promise<unknown>): Promise<PluginError> {
  const failure = await thrownBy(run);
  if (failure instanceof PluginError) return failure;
  throw failure;
}
