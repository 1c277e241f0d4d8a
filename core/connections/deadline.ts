import { PluginError } from "../../plugins/protocol/index.ts";

/**
 * Runs a call of a plugin under a deadline: `signal` aborts when the caller's does or when the time
 * is up, and the promise ends then, whether the plugin listens or not.
 * @throws {PluginError} PLUGIN_TIMEOUT
 */
export async function withDeadline<T>(
  callerSignal: AbortSignal,
  timeoutMs: number,
  run: (signal: AbortSignal) => Promise<T>,
): Promise<T> {
  const controller = new AbortController();
  let reject: (reason: PluginError) => void = () => {};
  const ended = new Promise<never>((_, rejectEnded) => {
    reject = rejectEnded;
  });
  const end = (detail: string) => {
    const reason = new PluginError("PLUGIN_TIMEOUT", [detail]);
    reject(reason);
    controller.abort(reason);
  };
  const onAbort = () => end("the call was cancelled");
  const timer = setTimeout(() => end(`more than ${timeoutMs} ms`), timeoutMs);
  callerSignal.addEventListener("abort", onAbort, { once: true });
  try {
    if (callerSignal.aborted) throw new PluginError("PLUGIN_TIMEOUT", ["the call was cancelled"]);
    return await Promise.race([run(controller.signal), ended]);
  } finally {
    clearTimeout(timer);
    callerSignal.removeEventListener("abort", onAbort);
  }
}
