import type { ReactiveController, ReactiveControllerHost, TemplateResult } from "lit";
import { errorState, loadingState } from "./states.ts";

/** The state of loading a value. It renders a skeleton, an error with a button to try again, or the value. */
export interface Load<Value> extends ReactiveController {
  /** The last value. It is kept while a new value is loaded. */
  readonly value: Value | undefined;
  readonly failure: unknown;
  readonly isLoading: boolean;
  /** Starts loading. Cancels a load that is already running. */
  start(): Promise<void>;
  /** Replaces the value, to show a change before the host responds. */
  set(value: Value): void;
  /** Discards the value. The skeleton is shown until the next value arrives. */
  clear(): void;
  show(ready: (value: Value) => TemplateResult, lines?: number): TemplateResult;
}

/**
 * Creates a load for an element, which renders again after each change. The load is cancelled when the element is
 * removed.
 */
export function createLoad<Value>(
  host: ReactiveControllerHost,
  read: (signal: AbortSignal) => Promise<Value>,
): Load<Value> {
  let value: Value | undefined;
  let failure: unknown;
  let running: AbortController | undefined;
  const load: Load<Value> = {
    get value() {
      return value;
    },
    get failure() {
      return failure;
    },
    get isLoading() {
      return running !== undefined;
    },
    async start() {
      running?.abort();
      const own = new AbortController();
      running = own;
      host.requestUpdate();
      try {
        const came = await read(own.signal);
        if (running !== own) return;
        [value, failure] = [came, undefined];
      } catch (reason) {
        if (running !== own) return;
        failure = reason;
      }
      running = undefined;
      host.requestUpdate();
    },
    set(given) {
      value = given;
      host.requestUpdate();
    },
    clear() {
      value = undefined;
      host.requestUpdate();
    },
    show(ready, lines) {
      if (failure !== undefined) return errorState(failure, () => void load.start());
      return value === undefined ? loadingState(lines) : ready(value);
    },
    hostDisconnected() {
      running?.abort();
      running = undefined;
    },
  };
  host.addController(load);
  return load;
}
