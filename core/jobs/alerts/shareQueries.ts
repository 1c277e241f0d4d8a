import { nameOfCaller } from "../../catalog/index.ts";
import type { Principal } from "../../base/index.ts";
import { createSharedRuns, type Queries, type QueryAnswer } from "../../queries/index.ts";

/** Runs a query for one slot, like `Queries.evaluate`. */
export type EvaluateSlot = (
  query: unknown,
  principal: Principal,
  signal: AbortSignal,
  slotMs: number,
) => ReturnType<Queries["evaluate"]>;

/**
 * Runs equal queries of the same slot once if they wait at the same time. Equal queries also have equal principals:
 * user, token, filters, parameters and overrides. Nothing is cached afterwards.
 */
export function shareQueries(evaluate: EvaluateSlot): EvaluateSlot {
  const runs = createSharedRuns<QueryAnswer>(() => performance.now());
  return (query, principal, signal, slotMs) => {
    const key = JSON.stringify([slotMs, nameOfCaller(principal), query]);
    const sharedRun =
      runs.underWay(key) ?? runs.start(key, (whole) => evaluate(query, principal, whole, slotMs));
    return sharedRun.wait(signal);
  };
}
