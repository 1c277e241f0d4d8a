import { PluginError } from "../../plugins/protocol/index.ts";

/** The plugin error with which a call is refused; anything else fails the test. */
export async function failureOf(run: Promise<unknown>): Promise<PluginError> {
  try {
    await run;
  } catch (failure) {
    if (failure instanceof PluginError) return failure;
    throw failure;
  }
  throw new Error("nothing was thrown");
}
