import type { Principal } from "../access/principal.ts";
import { ApiError } from "../errors.ts";
import { compileRowFilter } from "./rowFilter.ts";
import type { BoundQuery } from "./resolve.ts";

declare const secured: unique symbol;

/** A bound query with everything in it that limits what its caller may see. `secure` alone makes one, and `planQuery` takes nothing else. */
export type SecuredQuery = BoundQuery & { readonly [secured]: true };

/**
 * Adds the row-level filters of the dataset to a bound query; they are ANDed with what the caller asked. Hidden columns
 * are gone before: `resolve` binds none. A filter that cannot be applied closes the dataset, it is never left out.
 * @throws {ApiError} ROWS_CLOSED
 */
export function secure(query: BoundQuery, { restriction }: Principal): SecuredQuery {
  const { dataset } = query;
  const parameters = restriction?.parameters ?? new Map<string, never>();
  const filters = dataset.rowFilters.flatMap((filter, index) => {
    try {
      if (filter.securable_id !== dataset.id)
        throw new TypeError(`a filter of ${filter.securable_id} stands on ${dataset.id}`);
      const column = dataset.everyColumn.get(filter.column_id);
      return compileRowFilter(filter, column, parameters, `filters[${index}]`);
    } catch (cause) {
      if (!(cause instanceof ApiError)) throw cause;
      throw new ApiError("ROWS_CLOSED", [dataset.id, cause.message], { cause });
    }
  });
  const narrowed: BoundQuery =
    filters.length === 0
      ? query
      : { ...query, query: { ...query.query, filters: [...query.query.filters, ...filters] } };
  return narrowed as SecuredQuery;
}
