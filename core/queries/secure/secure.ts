import { ApiError, type Principal } from "../../base/index.ts";
import {
  aggregationDefinitions,
  type Derived,
  type Filter,
  type QueryJoin,
} from "../../../plugins/protocol/index.ts";
import type { QueriedDataset } from "../queriedDataset.ts";
import { createRowColumns } from "./createRowColumns.ts";
import { compileRowFilter } from "./compileRowFilter.ts";
import type { BoundQuery } from "../boundQuery.ts";
import type { Residual } from "../queryPlan.ts";
import type { Now } from "../resolve/clock.ts";
import { filteredColumns, sourcesOf } from "../resolve/namedColumns.ts";
import { removeUnusedJoins } from "./removeUnusedJoins.ts";

declare const secured: unique symbol;

/**
 * A bound query with the row filters of its caller. Only `secure` and `secureCounts` create secured queries, and
 * `planQuery` accepts no other queries.
 */
export type SecuredQuery = BoundQuery & {
  /**
   * The source columns that the row filters of the root test, directly or through derived columns, by plugin id. They
   * are in the order of the source for every caller.
   */
  readonly rowFilterColumns: readonly string[];
  /**
   * The queries that fetch the measures, if not all measures are computed over the rows of `dataset`. The host then
   * combines their groups instead of sending `query`.
   */
  readonly parts?: readonly MeasuredPart[];
  readonly [secured]: true;
};

/** A query for the measures of one dataset, grouped by the dimensions of the whole query. */
export interface MeasuredPart {
  readonly secured: SecuredQuery;
  /** For each column of the groups, the index of its values in this part's groups; -1 if another part has them. */
  readonly vectors: readonly number[];
  /** Folds the rows of the part's answer into groups. Absent if the answer already has one row per group. */
  readonly fold?: Residual;
  /** The queries that count the dataset's rows without a match. Absent if the part includes all of them. */
  readonly unmatched?: UnmatchedRows;
}

/** Counts the rows of a measured dataset that match no row of the dataset by which they are grouped or filtered. */
export interface UnmatchedRows {
  readonly measuredId: string;
  readonly finerId: string;
  /** Counts all rows of the measured dataset. */
  readonly all: SecuredQuery;
  /** Returns the keys of the rows that have a match, each once, with null for rows of the finer dataset without one. */
  readonly matched: SecuredQuery;
}

/**
 * Adds the row filters of every dataset of a bound query. The filters of the root are combined with the query's own by
 * AND. The filters of a joined dataset apply in its join, before rows match. Hidden columns need no filter, because
 * `resolve` never binds them. If a filter cannot be applied, the query fails. `now` is the instant of the call.
 * @throws {ApiError} ROWS_CLOSED
 */
export function secure(bound: BoundQuery, principal: Principal, now: Now): SecuredQuery {
  const { dataset, joined, query } = bound;
  if ([dataset, ...joined].every(({ rowFilters }) => rowFilters.length === 0))
    return branded(removeUnusedJoins(bound), []);
  const compile = (each: QueriedDataset, derived: readonly Derived[]): CompiledRows =>
    compileRows(each, derived, principal, now);
  const own = compile(dataset, query.derived ?? []);
  const joins = query.joins?.map((join, index): QueryJoin => {
    const each = joined[index];
    if (!each) throw new TypeError("a join must have a dataset");
    const { filters, derived } = compile(each, []);
    if (filters.length === 0) return join;
    return { ...join, filters, ...(derived.length > 0 && { derived }) };
  });
  const derived = [...(query.derived ?? []), ...own.derived];
  const narrowed: BoundQuery = {
    ...bound,
    query: {
      ...query,
      ...(joins && { joins }),
      ...(derived.length > 0 && { derived }),
      filters: [...query.filters, ...own.filters],
    },
  };
  const tested = new Set(sourcesOf(own.filters.flatMap(filteredColumns), own));
  const ids = dataset.source.columns.map((column) => column.id);
  return branded(
    removeUnusedJoins(narrowed),
    ids.filter((id) => tested.has(id)),
  );
}

/**
 * Marks a query as secured without row filters. The query may only count values of columns, or of keys computed from
 * them, over all rows, so that a join means the same to every caller. The counts never leave the host.
 * @throws {TypeError} for any other query
 */
export function secureCounts(bound: BoundQuery): SecuredQuery {
  const { query, joined, formulas } = bound;
  const isCount = query.columns.every(
    ({ aggregation }) =>
      aggregation !== undefined && aggregationDefinitions[aggregation].empty === 0,
  );
  const others = [query.filters, query.having, query.joins, joined, formulas];
  if (!isCount || others.some((each) => each !== undefined && each.length > 0))
    throw new TypeError("only counts of columns may be queried over all rows");
  return branded(bound, []);
}

/** Returns a secured query over other rows of its dataset, whose columns and row filters must be the same objects. */
export function overRows(secured: SecuredQuery, dataset: QueriedDataset): SecuredQuery {
  return { ...secured, dataset };
}

/** Returns a secured query whose measures are fetched by `parts`. */
export function withParts(secured: SecuredQuery, parts: readonly MeasuredPart[]): SecuredQuery {
  return { ...secured, parts };
}

/** Marks a query as secured. Only this function does so. */
function branded(bound: BoundQuery, rowFilterColumns: readonly string[]): SecuredQuery {
  return { ...bound, rowFilterColumns } as SecuredQuery;
}

interface CompiledRows {
  readonly filters: readonly Filter[];
  /** The derived columns that `filters` test. */
  readonly derived: readonly Derived[];
}

/**
 * Compiles the row filters of a dataset with the ids of its plugin. `known` lists derived columns that already exist.
 */
function compileRows(
  { id: named, roleOf, everyColumn, rowFilters, source }: QueriedDataset,
  known: readonly Derived[],
  { restriction, own }: Principal,
  now: Now,
): CompiledRows {
  const id = roleOf ?? named;
  const parameters = restriction?.parameters ?? own?.parameters ?? new Map<string, never>();
  const taken = new Set([...source.columns, ...known].map((column) => column.id));
  const columns = createRowColumns({ id, everyColumn }, taken, now);
  const filters = rowFilters.flatMap((filter, index) => {
    if (filter.clause === "having") return [];
    try {
      if (filter.securable_id !== id)
        throw new TypeError(`a filter of ${filter.securable_id} was set on ${id}`);
      return compileRowFilter(filter, { columns, parameters, now }, `filters[${index}]`);
    } catch (cause) {
      if (!(cause instanceof ApiError)) throw cause;
      throw new ApiError("ROWS_CLOSED", [id, cause.message], { cause });
    }
  });
  return { filters, derived: columns.derived() };
}
