import type { Principal } from "../access/principal.ts";
import { ApiError } from "../errors.ts";
import { createRowColumns } from "./rowColumns.ts";
import { compileRowFilter } from "./rowFilter.ts";
import type { BoundQuery } from "./resolve.ts";
import { withUsedJoins } from "./withUsedJoins.ts";

declare const secured: unique symbol;

/** A bound query with everything in it that limits what its caller may see. `secure` alone makes one, and `planQuery` takes nothing else. */
export type SecuredQuery = BoundQuery & { readonly [secured]: true };

/**
 * Adds the row-level filters of every dataset of a bound query; they are ANDed with what the caller asked, and tested after joins. Hidden columns
 * are gone before: `resolve` binds none. A filter that cannot be applied closes the dataset, it is never left out. `nowMs`
 * is the instant of the call, which relative dates count from.
 * @throws {ApiError} ROWS_CLOSED
 */
export function secure(
  bound: BoundQuery,
  { restriction, own }: Principal,
  nowMs: number,
): SecuredQuery {
  const { dataset, joined, query } = bound;
  const datasets = [dataset, ...joined];
  if (datasets.every(({ rowFilters }) => rowFilters.length === 0))
    return withUsedJoins(bound) as SecuredQuery;
  const parameters = restriction?.parameters ?? own?.parameters ?? new Map<string, never>();
  const taken = new Set([...dataset.source.columns, ...(query.derived ?? [])].map(({ id }) => id));
  const derived = [...(query.derived ?? [])];
  const filters = datasets.flatMap((each) => {
    const columns = createRowColumns(each, taken, nowMs);
    const tests = each.rowFilters.flatMap((filter, index) => {
      try {
        if (filter.securable_id !== each.id)
          throw new TypeError(`a filter of ${filter.securable_id} stands on ${each.id}`);
        return compileRowFilter(filter, { columns, parameters, nowMs }, `filters[${index}]`);
      } catch (cause) {
        if (!(cause instanceof ApiError)) throw cause;
        throw new ApiError("ROWS_CLOSED", [each.id, cause.message], { cause });
      }
    });
    for (const each of columns.derived()) {
      derived.push(each);
      taken.add(each.id);
    }
    return tests;
  });
  const narrowed: BoundQuery = {
    ...bound,
    query: {
      ...query,
      ...(derived.length > 0 && { derived }),
      filters: [...query.filters, ...filters],
    },
  };
  return withUsedJoins(narrowed) as SecuredQuery;
}
