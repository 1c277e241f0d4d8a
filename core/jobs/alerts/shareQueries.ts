import { nameOfCaller } from "../../catalog/index.ts";
import type { Principal } from "../../base/index.ts";
import { createFlights, type Queries, type QueryAnswer } from "../../queries/index.ts";

/** Asks a query for one slot, as `Queries.evaluate`. */
export type EvaluateSlot = (
  query: unknown,
  principal: Principal,
  signal: AbortSignal,
  slotMs: number,
) => ReturnType<Queries["evaluate"]>;

/**
 * Makes equal questions of one slot that wait at the same time one question. Questions are equal when their queries
 * and their whole principals are: user, token, filters, parameters and overrides. Nothing is kept afterwards.
 */
export function shareQueries(evaluate: EvaluateSlot): EvaluateSlot {
  const flights = createFlights<QueryAnswer>(() => performance.now());
  return (query, principal, signal, slotMs) => {
    const key = JSON.stringify([slotMs, nameOfCaller(principal), query]);
    const flight =
      flights.underWay(key) ??
      flights.start(key, (whole) => evaluate(query, principal, whole, slotMs));
    return flight.board(signal);
  };
}
