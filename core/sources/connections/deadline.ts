import { PluginError } from "../../../plugins/protocol/index.ts";

/**
 * Runs a plugin call with a deadline. `signal` aborts with the caller's signal or at the deadline. The promise then
 * rejects, even if the plugin ignores the signal.
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

/** A failure of the consumer of a scan's batches. `cause` is the original failure. */
export class Taken extends Error {
  override readonly name = "Taken";
}

/** What a call that yields batches tells its deadline. */
export interface Silence {
  /** Processes a batch. */
  pause(work: () => Promise<void>): Promise<void>;
  /** Reports that the source is answering. */
  alive(): void;
}

/**
 * Runs a call that yields batches, and cancels it if it is silent for `timeoutMs`. The timer restarts after each batch
 * and each call of `alive`, and is stopped while `pause` runs the consumer's work.
 * @throws {PluginError} PLUGIN_TIMEOUT
 * @throws {Taken} if the consumer fails; the call is then cancelled
 */
export async function withPauses(
  callerSignal: AbortSignal,
  timeoutMs: number,
  run: (signal: AbortSignal, silence: Silence) => Promise<void>,
): Promise<void> {
  const controller = new AbortController();
  const ended = Promise.withResolvers<never>();
  ended.promise.catch(() => undefined);
  const end = (reason: Error) => {
    ended.reject(reason);
    controller.abort(reason);
  };
  const late = () =>
    end(new PluginError("PLUGIN_TIMEOUT", [`no rows arrived for ${timeoutMs} ms`]));
  let timer: NodeJS.Timeout | undefined = setTimeout(late, timeoutMs);
  const onAbort = () => end(new PluginError("PLUGIN_TIMEOUT", ["the call was cancelled"]));
  callerSignal.addEventListener("abort", onAbort, { once: true });
  const pause = async (work: () => Promise<void>) => {
    clearTimeout(timer);
    timer = undefined;
    controller.signal.throwIfAborted();
    try {
      await work();
    } catch (cause) {
      const failure = new Taken("the rows could not be processed", { cause });
      end(failure);
      throw failure;
    }
    timer = setTimeout(late, timeoutMs);
  };
  // A batch is being processed while there is no timer.
  const alive = () => {
    if (!controller.signal.aborted) timer?.refresh();
  };
  try {
    if (callerSignal.aborted) throw new PluginError("PLUGIN_TIMEOUT", ["the call was cancelled"]);
    await Promise.race([run(controller.signal, { pause, alive }), ended.promise]);
  } finally {
    clearTimeout(timer);
    callerSignal.removeEventListener("abort", onAbort);
  }
}
