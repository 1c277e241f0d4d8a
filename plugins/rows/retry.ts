import { setTimeout as sleep } from "node:timers/promises";
import { PluginError, type PluginErrorCode } from "../protocol/index.ts";

/** A failure after which the same request may succeed. */
export class RetriableError extends PluginError {
  /** Milliseconds to wait, as requested by the server. Undefined if the server requested no wait. */
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

/** The number of retries, and the limit on the wait before each retry. */
export interface RetryOptions {
  /** Name of the server in messages. */
  readonly host: string;
  /** Maximum number of retries after the first attempt. */
  readonly retries: number;
  /** Maximum seconds to wait before a retry, and, for messages, the name of the setting that limits this wait. */
  readonly wait: { readonly mostS: number; readonly name: string };
  readonly signal: AbortSignal;
  readonly sleep?: Sleep;
}

/** Waits for the given time. Throws when `signal` is aborted. */
export type Sleep = (ms: number, signal: AbortSignal) => Promise<void>;

const firstWaitMs = 500;

/**
 * Repeats an attempt after each `RetriableError`. Waits as long as the server requests. If the server requests no wait,
 * the waits are 0.5 s, 1 s, 2 s and so on.
 * @throws {PluginError} the last failure; PLUGIN_BUSY if the server requests a longer wait than allowed
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
            `${host} requests a wait of ${Math.ceil(waitMs / 1000)} s, but ${wait.name} allows at most ${wait.mostS} s`,
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

/**
 * Parses Retry-After, which is a number of seconds or a date (RFC 9110, 10.2.3). Returns milliseconds. Undefined for
 * other values.
 */
export function retryAfterMs(header: string | undefined, nowMs: number): number | undefined {
  if (header === undefined) return undefined;
  const ms = /^\d{1,9}$/.test(header.trim()) ? Number(header) * 1000 : Date.parse(header) - nowMs;
  return Number.isFinite(ms) ? Math.max(0, ms) : undefined;
}
