import type { ReactiveControllerHost } from "lit";
import { ApiFailure, type Api } from "../../api/index.ts";
import type { Json } from "./condition.ts";

export interface BacktestSlot {
  readonly slot_at: string;
  readonly outcome: string;
  readonly status_after: string;
  readonly notices: readonly unknown[];
}

/** The answer of a backtest. */
export interface BacktestAnswer {
  readonly slot_count: number;
  readonly notified_count: number;
  /** All slots; when there are very many, the slots that changed something. */
  readonly slots: readonly BacktestSlot[];
}

/** A stored alert with other members, or members alone, and a part of the past. */
export interface BacktestRequest {
  readonly id?: string;
  readonly properties: Json;
  readonly from: string;
  readonly to?: string;
  /** Slots in that time, about. */
  readonly expectedCount: number;
}

/** Tries an alert on the past, a quarter of a second after the last change. */
export interface Backtest {
  readonly answer: BacktestAnswer | undefined;
  /** Why the last one was refused. */
  readonly failure: unknown;
  /** The mistakes of members, by name. */
  readonly wrong: Readonly<Record<string, string>>;
  tryLater(): void;
  /** Shows the mistakes of a refusal that came elsewhere. */
  refuse(failure: unknown): void;
}

const waitMs = 250;
/** An answer lists so many slots when it lists all. */
const mostListed = 1_000;

/** Makes the backtest of an element, which is drawn again after each answer. It ends with the element. */
export function createBacktest(
  host: ReactiveControllerHost,
  request: () => { readonly api: Api; readonly asked: BacktestRequest } | undefined,
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
    const { id, properties, from, to, expectedCount } = wanted.asked;
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
