import type { Query } from "../protocol/index.ts";
import type { ColumnScope } from "./columnScope.ts";
import { compileFilters } from "./compileFilters.ts";
import type { Dialect } from "./dialect.ts";
import type { SqlTable } from "./driver.ts";
import { sql, trusted, type Fragment } from "./fragment.ts";

/**
 * Maximum number of requested rows. With more rows, it is not faster to find the first rows of an answer by their first
 * sort key.
 */
const mostRows = 10_000;

/**
 * Returns whether a test of the first sort key makes it faster to find the first rows of a query. The test helps for
 * plain rows with several sort keys, from a table that is large or of unknown size.
 */
export function hasTopRows(
  { columns, order = [], groupLimit, limit, having = [], options }: Query,
  { rows }: Pick<SqlTable, "rows">,
  { largeRows }: Dialect,
): boolean {
  const [first, second] = order;
  const key = first && columns[first.column];
  if (largeRows === undefined || (rows ?? Infinity) < largeRows || options.pushdown) return false;
  if (groupLimit || !second || !key || key.level !== undefined || key.bin || having.length > 0)
    return false;
  return limit !== undefined && limit.by > 0 && limit.by + (limit.offset ?? 0) <= mostRows;
}

/**
 * Writes a test that passes only rows that may be among the first rows. The first key of a row must not be beyond that
 * of the last requested row, if rows are ordered by the first key only. The database reads only one column to find that
 * key. If at least as many rows pass as were requested, they include the first rows, even if rows were added or removed
 * meanwhile. If fewer rows pass, the test may have omitted some.
 */
export function topTest(
  { columns, order = [], limit, filters }: Query,
  from: Fragment,
  scope: ColumnScope,
  dialect: Dialect,
): Fragment {
  const [first] = order;
  const key = scope.valueOf(columns[first?.column ?? 0]!);
  const direction = first?.order ?? "asc";
  const alias = trusted(dialect.quote("first key"));
  const isAsc = direction === "asc";
  const [sign, last] = [isAsc ? "<=" : ">=", isAsc ? "max" : "min"] as const;
  const count = dialect.limit((limit?.by ?? 0) + (limit?.offset ?? 0), 0);
  const keys = sql`select ${key.expression} as ${alias} from ${from}${compileFilters(filters, scope, dialect)} order by ${dialect.order(alias, direction, key.type)} ${count}`;
  return sql`(${key.expression} ${trusted(sign)} (select ${trusted(last)}(${alias}) from (${keys}) ${trusted(dialect.quote("first keys"))}))`;
}
