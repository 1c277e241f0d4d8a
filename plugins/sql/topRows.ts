import type { Query } from "../protocol/index.ts";
import type { ColumnScope } from "./columnScope.ts";
import { compileFilters } from "./compileFilters.ts";
import type { Dialect } from "./dialect.ts";
import type { SqlTable } from "./driver.ts";
import { sql, trusted, type Fragment } from "./fragment.ts";

/** Rows of an answer up to which its first rows are worth finding by their first key. */
const mostRows = 10_000;

/**
 * Returns whether the first rows of a query are found faster by a bound of their first key: plain rows in an order of
 * several keys, of a table that is large, or whose size is not known.
 */
export function hasTopRows(
  { columns, order = [], limit, having = [], options }: Query,
  { rows }: Pick<SqlTable, "rows">,
  { largeRows }: Dialect,
): boolean {
  const [first, second] = order;
  const key = first && columns[first.column];
  if (largeRows === undefined || (rows ?? Infinity) < largeRows || options.pushdown) return false;
  if (!second || !key || key.level !== undefined || key.bin || having.length > 0) return false;
  return limit !== undefined && limit.by > 0 && limit.by + (limit.offset ?? 0) <= mostRows;
}

/**
 * Writes a test that the first rows of an order pass: their first key is not behind the last one of as many rows,
 * sorted by it alone. A database reads one column for that. When as many rows as were asked for pass, they are the
 * first ones, also when rows came or went meanwhile; when there are fewer, the test may have left some out.
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
