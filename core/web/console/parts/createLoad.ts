import type { ReactiveController, ReactiveControllerHost, TemplateResult } from "lit";
import { errorState, loadingState } from "./states.ts";

/** Something that is loaded: shows a skeleton, a refusal with a way out, or what came. */
export interface Load<Value> extends ReactiveController {
  /** The last value; kept while it is loaded again. */
  readonly value: Value | undefined;
  readonly failure: unknown;
  readonly isLoading: boolean;
  /** Loads, and ends a load that is under way. */
  start(): Promise<void>;
  /** Replaces the value, for a change that is shown before the host answers. */
  set(value: Value): void;
  /** Forgets the value: the skeleton is shown until the next one comes. */
  clear(): void;
  show(ready: (value: Value) => TemplateResult, lines?: number): TemplateResult;
}

/** Makes a load of an element, which is drawn again after each change. It ends when the element leaves the page. */
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
