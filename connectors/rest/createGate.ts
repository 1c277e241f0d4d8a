import { setTimeout as sleep } from "node:timers/promises";
import { PluginError } from "../../plugins/protocol/index.ts";
import { retryAfterMs, type Sleep, type WebAnswer } from "../../plugins/rows/index.ts";
import { announcedLimit, type AnnouncedLimit } from "./announcedLimit.ts";

/** Limits on how long a caller may wait for a server. */
export interface Patience {
  /** Name of the server for error messages. */
  readonly host: string;
  /** Longest single wait in seconds, as set in the API's description. */
  readonly waitS: number;
  /** Deadline of the call, in milliseconds since 1970; absent for scheduled work, which has no deadline. */
  readonly untilMs?: number | undefined;
  readonly signal: AbortSignal;
}

/** Limits requests to the rate that a server has announced, across all calls with the same credentials. */
export interface Gate {
  /**
   * Runs a request as soon as the server accepts one.
   * @throws {PluginError} PLUGIN_BUSY, with the time to try again, if the caller may not wait that long
   */
  pass<Answer extends Pick<WebAnswer, "status" | "headers">>(
    key: string,
    patience: Patience,
    send: () => Promise<Answer>,
  ): Promise<Answer>;
  /** Waits for the given time. If the key's current window has ended by then, the gate starts the next window. */
  pause(key: string, ms: number, signal: AbortSignal): Promise<void>;
  /**
   * Returns the milliseconds to wait that a response requires: the time in `Retry-After` or, if no requests are left,
   * the time until the next window. Undefined if the response requires no wait.
   */
  waitOf(answer: Pick<WebAnswer, "status" | "headers">): number | undefined;
  /** Checks that the caller may wait for the given time.
   * @throws {PluginError} PLUGIN_BUSY if the caller may not wait that long */
  refuseLongWait(waitMs: number, patience: Patience): void;
  /** Drops the state of all keys with this prefix. */
  forget(start: string): void;
}

export interface GateOptions {
  readonly now: () => number;
  readonly sleep?: Sleep | undefined;
}

interface KeyState {
  inFlight: number;
  window: AnnouncedLimit | undefined;
  /** Resolves when a response has arrived. */
  changed: PromiseWithResolvers<void>;
}

/**
 * If the ends of two windows differ by at most this much, they count as equal, because servers round them to seconds.
 */
const sameWindowMs = 1_500;
/** Maximum number of keys whose state is kept. */
const mostKeys = 10_000;

export function createGate({ now, sleep: pause = pauseFor }: GateOptions): Gate {
  const states = new Map<string, KeyState>();
  const stateOf = (key: string): KeyState => {
    const known = states.get(key);
    if (known) return known;
    if (states.size >= mostKeys)
      for (const [each, { inFlight }] of states) if (inFlight === 0) states.delete(each);
    const state = { inFlight: 0, window: undefined, changed: Promise.withResolvers<void>() };
    states.set(key, state);
    return state;
  };
  const refuseLongWait = (waitMs: number, { host, waitS, untilMs }: Patience): void => {
    const leftMs = (untilMs ?? Infinity) - now();
    if (waitMs <= waitS * 1000 && waitMs <= leftMs) return;
    const than =
      waitMs > waitS * 1000
        ? `the ${waitS} s of limits.waitS`
        : `the ${Math.max(0, Math.floor(leftMs / 1000))} s that the call has left`;
    const at = new Date(Math.min(now() + waitMs, 8.64e15)).toISOString();
    throw new PluginError("PLUGIN_BUSY", [
      `${host} requires a wait of ${Math.ceil(waitMs / 1000)} s, more than ${than}; try again after ${at}`,
    ]);
  };
  /**
   * Starts the next window. If the server has not announced how many requests a window allows, first sends a single
   * request to find out.
   */
  const beginWindow = (state: KeyState, window: AnnouncedLimit): void => {
    if (state.window !== window) return;
    const { limit = 1 } = window;
    state.window = { remaining: Math.max(1, limit), resetAtMs: Infinity, limit };
  };
  const enter = async (state: KeyState, patience: Patience): Promise<void> => {
    for (;;) {
      patience.signal.throwIfAborted();
      const { window } = state;
      if (!window || window.remaining - state.inFlight >= 1) break;
      const waitMs = window.resetAtMs - now();
      if (waitMs > 0 && state.inFlight > 0 && window.remaining > 0) {
        // The response to a running request will state how many requests are left.
        await untilAborted(state.changed.promise, patience.signal);
        continue;
      }
      if (waitMs > 0) {
        refuseLongWait(waitMs, patience);
        await pause(waitMs, patience.signal);
      }
      beginWindow(state, window);
    }
    state.inFlight++;
  };
  const note = (
    state: KeyState,
    { status, headers }: Pick<WebAnswer, "status" | "headers">,
  ): void => {
    const { window } = state;
    const announced = announcedLimit(headers, now());
    const retryMs = isBusy(status) ? retryAfterMs(headers["retry-after"], now()) : undefined;
    if (retryMs !== undefined && retryMs > 0)
      state.window = { ...announced, remaining: 0, resetAtMs: now() + retryMs };
    else if (!announced) {
      // Servers do not announce the limit in every response.
      if (window?.resetAtMs === Infinity) state.window = undefined;
    } else {
      // Responses may arrive out of order.
      const isSame = window && Math.abs(window.resetAtMs - announced.resetAtMs) < sameWindowMs;
      const remaining = isSame
        ? Math.min(window.remaining, announced.remaining)
        : announced.remaining;
      state.window = { ...announced, remaining };
    }
  };
  return {
    async pass(key, patience, send) {
      const state = stateOf(key);
      await enter(state, patience);
      try {
        const answer = await send();
        note(state, answer);
        return answer;
      } finally {
        state.inFlight--;
        const { changed } = state;
        state.changed = Promise.withResolvers();
        changed.resolve();
      }
    },
    async pause(key, ms, signal) {
      const state = stateOf(key);
      const { window } = state;
      const endsMs = now() + ms;
      await pause(ms, signal);
      if (window && window.resetAtMs <= endsMs) beginWindow(state, window);
    },
    waitOf({ status, headers }) {
      const retryMs = retryAfterMs(headers["retry-after"], now());
      if (retryMs !== undefined) return retryMs;
      const announced = announcedLimit(headers, now());
      if (!announced || (announced.remaining > 0 && status !== 429)) return undefined;
      return Math.max(0, announced.resetAtMs - now());
    },
    refuseLongWait,
    forget(start) {
      for (const key of states.keys()) if (key.startsWith(start)) states.delete(key);
    },
  };
}

/**
 * Returns whether a status means that the server is overloaded, or that a limit was reached, for which some APIs return
 * 403. `Retry-After` then applies to all requests.
 */
const isBusy = (status: number): boolean => status === 429 || status === 503 || status === 403;

const pauseFor: Sleep = async (ms, signal) => void (await sleep(ms, undefined, { signal }));

async function untilAborted(work: Promise<void>, signal: AbortSignal): Promise<void> {
  const aborted = Promise.withResolvers<never>();
  const abort = () => aborted.reject(signal.reason);
  signal.addEventListener("abort", abort, { once: true });
  try {
    await Promise.race([work, aborted.promise]);
  } finally {
    signal.removeEventListener("abort", abort);
  }
}
