import { setTimeout as sleep } from "node:timers/promises";
import { PluginError, type PluginErrorCode } from "../protocol/index.ts";

/** A failure after which the same request may succeed. */
export class RetriableError extends PluginError {
  /** The wait that the server asks for; undefined when it asks for none. */
  readonly waitMs: number | undefined;

  constructor(
    code: PluginErrorCode,
    detail: string,
    { waitMs, ...options }: ErrorOptions & { readonly waitMs?: number | undefined } = {},
  ) {
    super(code, [detail], options);
    this.waitMs = waitMs;
  }
}

export interface RetryOptions {
  /** Names the server in messages. */
  readonly host: string;
  readonly retries: number;
  /** Longest wait before a retry, as the message of a longer one names it. */
  readonly wait: { readonly mostS: number; readonly name: string };
  readonly signal: AbortSignal;
  readonly sleep?: Sleep;
}

/** Waits, and throws when `signal` aborts. */
export type Sleep = (ms: number, signal: AbortSignal) => Promise<void>;

const firstWaitMs = 500;

/**
 * Runs an attempt again after a `RetriableError`: after the wait that the server asks for, else after 0.5 s, 1 s, 2 s
 * and so on.
 * @throws {PluginError} the last failure; PLUGIN_BUSY when the server asks for a longer wait than allowed
 */
export async function retry<Result>(
  run: () => Promise<Result>,
  { host, retries, wait, signal, sleep: pause = pauseFor }: RetryOptions,
): Promise<Result> {
  for (let attempt = 0; ; attempt++) {
    try {
      return await run();
    } catch (failure) {
      signal.throwIfAborted();
      if (!(failure instanceof RetriableError)) throw failure;
      if (attempt >= retries) throw afterRetries(failure, attempt);
      const waitMs = failure.waitMs ?? firstWaitMs * 2 ** attempt;
      if (waitMs > wait.mostS * 1000)
        throw new PluginError(
          "PLUGIN_BUSY",
          [
            `${host} asks to wait ${Math.ceil(waitMs / 1000)} s, more than the ${wait.mostS} s of ${wait.name}`,
          ],
          { cause: failure },
        );
      await pause(waitMs, signal);
    }
  }
}

const pauseFor: Sleep = async (ms, signal) => void (await sleep(ms, undefined, { signal }));

function afterRetries(failure: RetriableError, count: number): PluginError {
  if (count === 0) return failure;
  const retries = count === 1 ? "1 retry" : `${count} retries`;
  return new PluginError(failure.code, [`${failure.details[0]}, after ${retries}`], {
    cause: failure,
  });
}

/** Reads Retry-After: seconds, or a date (RFC 9110, 10.2.3). Milliseconds; undefined when it says neither. */
export function retryAfterMs(header: string | undefined, nowMs: number): number | undefined {
  if (header === undefined) return undefined;
  const ms = /^\d{1,9}$/.test(header.trim()) ? Number(header) * 1000 : Date.parse(header) - nowMs;
  return Number.isFinite(ms) ? Math.max(0, ms) : undefined;
}
