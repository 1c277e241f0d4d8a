import type { ReactiveControllerHost } from "lit";
import { ApiFailure, type Api } from "../../api/index.ts";
import type { Json } from "./condition.ts";

/** One past slot of an alert, with its state. */
export interface BacktestSlot {
  readonly slot_at: string;
  readonly outcome: string;
  readonly status_after: string;
  readonly notices: readonly unknown[];
}

/** The host's answer to a backtest. */
export interface BacktestAnswer {
  readonly slot_count: number;
  readonly notified_count: number;
  /** The slots of the time range: all slots, or for a long range only those in which something changed. */
  readonly slots: readonly BacktestSlot[];
}

/** The alert to test (a stored alert with changed members, or all members of a new alert), and the time range. */
export interface BacktestRequest {
  readonly id?: string;
  readonly properties: Json;
  readonly from: string;
  readonly to?: string;
  /** Approximate number of slots in the time range. */
  readonly expectedCount: number;
}

/** A backtest that runs a quarter of a second after the last change. */
export interface Backtest {
  readonly answer: BacktestAnswer | undefined;
  /** Why the last backtest failed. */
  readonly failure: unknown;
  /** Error messages by member of the alert. */
  readonly wrong: Readonly<Record<string, string>>;
  tryLater(): void;
  /** Shows the error messages of another failure, such as that of saving the alert. */
  refuse(failure: unknown): void;
}

const waitMs = 250;
/** Maximum number of slots for which an answer contains every slot. */
const mostListed = 1_000;

/** Creates the backtest of an element, which renders again after each answer. It stops when the element is removed. */
export function createBacktest(
  host: ReactiveControllerHost,
  request: () => { readonly api: Api; readonly input: BacktestRequest } | undefined,
): Backtest {
  let answer: BacktestAnswer | undefined;
  let failure: unknown;
  let running: AbortController | undefined;
  let waiting: ReturnType<typeof setTimeout> | undefined;
  const run = async () => {
    running?.abort();
    const own = new AbortController();
    running = own;
    const wanted = request();
    if (!wanted) return;
    const { id, properties, from, to, expectedCount } = wanted.input;
    const list = expectedCount <= mostListed ? "all" : "changes";
    try {
      const came = await wanted.api.call<BacktestAnswer>(
        "alert",
        "backtest",
        { ...(id && { id }), properties, options: { from, ...(to && { to }), run: true, list } },
        { signal: own.signal },
      );
      if (running !== own) return;
      [answer, failure] = [came, undefined];
    } catch (reason) {
      if (running !== own) return;
      [answer, failure] = [undefined, reason];
    }
    host.requestUpdate();
  };
  host.addController({
    hostDisconnected() {
      clearTimeout(waiting);
      running?.abort();
      running = undefined;
    },
  });
  return {
    get answer() {
      return answer;
    },
    get failure() {
      return failure;
    },
    get wrong() {
      return mistakesIn(failure);
    },
    tryLater() {
      clearTimeout(waiting);
      waiting = setTimeout(() => void run(), waitMs);
    },
    refuse(reason) {
      failure = reason;
      host.requestUpdate();
    },
  };
}

function mistakesIn(failure: unknown): Readonly<Record<string, string>> {
  if (!(failure instanceof ApiFailure)) return {};
  return Object.fromEntries(
    Object.entries(failure.validation).map(([member, mistakes]) => [member, mistakes.join("; ")]),
  );
}
