import { ApiError, type Principal, type Records } from "../../base/index.ts";
import type { Queries, QueryAnswer } from "../../queries/index.ts";
import { readsTheClock, type WindowedQuery } from "./groupByWindow.ts";

export interface EvaluateGroupedOptions {
  readonly queries: Pick<Queries, "evaluate">;
  readonly records: Records;
  readonly principal: Principal;
  readonly signal: AbortSignal;
}

/**
 * Evaluates a windowed query for all slots with one grouped query. Each slot gets the rows of its period, without the
 * period column. A query without dimensions returns a row even for a period without data, but the grouped query omits
 * the period. A query without dimensions therefore needs a second query.
 * @throws {ApiError} as the query; CONFLICT if a row filter of the caller depends on the slot
 */
export async function evaluateGrouped(
  query: unknown,
  windowed: WindowedQuery,
  slots: readonly number[],
  { queries, records, principal, signal }: EvaluateGroupedOptions,
): Promise<ReadonlyMap<number, QueryAnswer>> {
  const windows = new Map(slots.map((slot) => [slot, windowed.windowOf(slot)]));
  const known = [...windows.values()].filter((each) => each !== undefined);
  const [last] = slots.toReversed();
  if (known.length === 0 || last === undefined) return new Map();
  const fromMs = Math.min(...known.map((each) => each.fromMs));
  const toMs = Math.max(...known.map((each) => each.toMs));
  const evaluate = async (grouped: object) => {
    const answer = await queries.evaluate({ ...grouped, explain: true }, principal, signal, last);
    if (await readsTheClock(answer.explain?.filters ?? [], records))
      throw new ApiError("CONFLICT", [
        'a filter on the rows that you may see depends on the time of the query; send options.way "slots"',
      ]);
    return answer;
  };
  const whole = await evaluate(windowed.grouped(fromMs, toMs));
  const byPeriod = rowsByPeriod(whole);
  const present = windowed.present && rowsByPeriod(await evaluate(windowed.present(fromMs, toMs)));
  let empty: QueryAnswer | undefined;
  const answers = new Map<number, QueryAnswer>();
  for (const [slot, window] of windows) {
    if (!window) continue;
    const rows = byPeriod.get(window.fromMs);
    const isEmpty = !(present ?? byPeriod).has(window.fromMs);
    if (windowed.isTotal && isEmpty)
      empty ??= await queries.evaluate(query, principal, signal, slot);
    const data = rows ?? (windowed.isTotal && isEmpty ? (empty?.data ?? []) : []);
    answers.set(slot, { cached: false, performance: whole.performance, data });
  }
  return answers;
}

function rowsByPeriod({ data }: QueryAnswer): Map<number, QueryAnswer["data"][number][]> {
  const byPeriod = new Map<number, QueryAnswer["data"][number][]>();
  for (const [period, ...row] of data) {
    const at = Date.parse(String(period));
    const rows = byPeriod.get(at);
    if (rows) rows.push(row);
    else byPeriod.set(at, [row]);
  }
  return byPeriod;
}
