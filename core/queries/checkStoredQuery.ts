import { ApiError, type Connections, type Principal, type Records } from "../base/index.ts";
import { createFormulaFinder, findFormulas } from "./resolve/findFormulas.ts";
import { joinDatasets } from "./join/joinDatasets.ts";
import type { BoundQuery } from "./boundQuery.ts";
import { answerColumns } from "./from/answerColumns.ts";
import { createFromDataset, findOnlyFrom } from "./from/createFromDataset.ts";
import { defaultLimits } from "./limits.ts";
import { fromId, type ParsedQuery } from "./parsedQuery.ts";
import { isParameter, sampleOf, type Parameters } from "./parse/resolveParameter.ts";
import { parseQuery } from "./parse/parseQuery.ts";
import { createDatasetFinder } from "./resolve/createDatasetFinder.ts";
import { resolve } from "./resolve/resolve.ts";
import { runSubqueries, type RunSubquery } from "./subquery/runSubqueries.ts";

/** The caller whose rights the check uses, and where datasets are looked up. */
export interface CheckedAs {
  readonly records: Records;
  readonly connections: Pick<Connections, "store">;
  readonly principal: Principal;
}

/**
 * Checks a query that is stored now and run later: its shape, its operators, and the caller's right to read everything
 * that the query names. No source is called. A parameter without a value or default is accepted, because the call that
 * runs the query may supply its value. Assumes that linked columns are unique, so joining may still fail when the query
 * runs.
 * @throws {ApiError} the error that running the query would cause, with the path of the member; MEMBER_INVALID for ids
 * that cannot be found
 */
export async function checkStoredQuery(
  value: unknown,
  path: string,
  { records, connections, principal }: CheckedAs,
): Promise<void> {
  const { restriction, own } = principal;
  const { parameters } = restriction ?? own ?? {};
  const placeOf = new Map<unknown, string>();
  const placed =
    <Found>(find: (id: string, at: string) => Promise<Found>) =>
    (id: string, at: string): Promise<Found> =>
      find(id, at).catch((failure: unknown) => {
        placeOf.set(failure, at);
        throw failure;
      });
  const { store } = connections;
  const findDataset = placed(
    createDatasetFinder({
      records,
      connections: { store, ofAccount: () => Promise.resolve(store) },
      rowFilters: () => Promise.resolve([]),
      principal,
    }),
  );
  try {
    const closed = closeParameters(value, parameters);
    const parsed = parseQuery(closed, path, defaultLimits, parameters, restriction);
    const findFormula = placed(createFormulaFinder(records, principal));
    const bind = async (query: ParsedQuery): Promise<BoundQuery> => {
      const { from } = query;
      const find = from
        ? findOnlyFrom(
            createFromDataset(answerColumns(await bind(from.query), from.columns), fromId, store),
          )
        : findDataset;
      const found = await findFormulas(query, findFormula);
      const joined = await joinDatasets(found, find, { whole: returnZeros, own: returnZeros });
      const now = { nowMs: Date.now() };
      return resolve(await runSubqueries(joined.query, returnZeros), find, defaultLimits, now);
    };
    await bind(parsed);
  } catch (failure) {
    if (!(failure instanceof ApiError) || failure.code !== "RECORD_NOT_FOUND") throw failure;
    const details = [placeOf.get(failure) ?? path, failure.message];
    throw new ApiError("MEMBER_INVALID", details, { cause: failure });
  }
}

/**
 * Answers subqueries without calling a source. All values are 0: equal counts mean unique columns, and 0 is a valid
 * number and instant.
 */
const returnZeros: RunSubquery = ({ measures }) =>
  Promise.resolve({
    rowCount: 1,
    columns: measures.map(() => ({ type: "numeric" as const, values: new Float64Array(1) })),
  });

/** Copies a query, with a sample value of the right type in each parameter without a value. */
function closeParameters(value: unknown, parameters: Parameters = new Map()): unknown {
  const copy: unknown = structuredClone(value);
  const open: unknown[] = [copy];
  while (open.length > 0) {
    const each = open.pop();
    if (typeof each !== "object" || each === null) continue;
    if (isParameter(each)) {
      const { parameter, type } = each;
      const isOpen = !parameters.has(String(parameter).replace(/^metadata\./, ""));
      if (isOpen && (each["value"] ?? undefined) === undefined)
        Object.assign(each, { value: sampleOf(type) });
    } else for (const member of Object.values(each)) open.push(member);
  }
  return copy;
}
