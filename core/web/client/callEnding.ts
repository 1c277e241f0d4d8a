import { ClientError } from "./clientError.ts";

/** Returns a signal that ends a call after `timeoutMs`, or when `signal` does; undefined if nothing ends it. */
export function endingOf(
  signal: AbortSignal | undefined,
  timeoutMs: number | undefined,
): AbortSignal | undefined {
  if (timeoutMs === undefined) return signal;
  const timeout = AbortSignal.timeout(timeoutMs);
  return signal ? AbortSignal.any([signal, timeout]) : timeout;
}

/**
 * Waits before a call is repeated.
 * @throws {ClientError} As soon as `ending` ends the call.
 */
export function pauseUnlessEnded(
  ms: number,
  url: string,
  ending: AbortSignal | undefined,
): Promise<void> {
  return new Promise((resolve, reject) => {
    const end = () => {
      clearTimeout(timer);
      reject(ClientError.of(ending?.reason, url, ending));
    };
    const timer = setTimeout(() => {
      ending?.removeEventListener("abort", end);
      resolve();
    }, ms);
    if (ending?.aborted) end();
    else ending?.addEventListener("abort", end, { once: true });
  });
}
