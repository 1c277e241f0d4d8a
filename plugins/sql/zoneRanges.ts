import {
  isGroup,
  leaves,
  millisecondsOf,
  type ColumnFilter,
  type Filter,
  type Query,
} from "../protocol/index.ts";
import { compileFilters } from "./compileFilters.ts";
import { isPlain } from "./compileQuery.ts";
import type { CompileOptions } from "./compileOptions.ts";
import { createColumnScope } from "./columnScope.ts";
import type { Statement } from "./driver.ts";
import { sql } from "./fragment.ts";
import { joinTables } from "./joinTables.ts";
import { writeStatement } from "./writeStatement.ts";

/** A range of instants that contains all values of a truncated column. Both ends belong to the range. */
export interface InstantRange {
  readonly fromMs: number;
  readonly toMs: number;
}

/**
 * Lists the columns that a query truncates in a time zone other than UTC, and the columns without zone that it
 * truncates, groups, aggregates or sorts. `isReading` returns whether the values of a column are readings of a clock.
 */
export function zonedColumns(
  query: Query,
  isReading: (columnId: string) => boolean = () => false,
): readonly string[] {
  const { columns, filters, options } = query;
  const isZoned = (options.timezone_id ?? "UTC") !== "UTC";
  const tested = filters.flatMap((filter) => leaves<ColumnFilter>(filter));
  const found = [
    ...columns.filter((column) => !isPlain(column, query) && isReading(column.column_id)),
    ...[...columns, ...tested].filter(
      ({ level, column_id }) => level !== undefined && (isZoned || isReading(column_id)),
    ),
  ];
  return [...new Set(found.map(({ column_id }) => column_id))];
}

/**
 * Returns the range to which the filters of a query limit a datetime column. Undefined if one end is unbounded. A
 * filter on a level does not limit the range, because the database evaluates such a filter for all rows that pass the
 * other filters.
 */
export function filteredRange(
  filters: readonly Filter[],
  columnId: string,
): InstantRange | undefined {
  // SQL may evaluate tests in any order, so a test on a level may see rows that a test of the range excludes.
  if (filters.some((filter) => leaves<ColumnFilter>(filter).some(({ level }) => level)))
    return undefined;
  let [fromMs, toMs] = [-Infinity, Infinity];
  for (const filter of filters) {
    if (isGroup(filter) || filter.column_id !== columnId) continue;
    const instants = (filter.value ?? []).map((cell) =>
      typeof cell === "string" ? (millisecondsOf(cell) ?? Number.NaN) : Number.NaN,
    );
    if (instants.length === 0 || instants.some(Number.isNaN)) continue;
    const isList = filter.expression === "=" || filter.expression === "in";
    if (isList || filter.expression.startsWith(">"))
      fromMs = Math.max(fromMs, Math.min(...instants));
    if (isList || filter.expression.startsWith("<")) toMs = Math.min(toMs, Math.max(...instants));
  }
  if (fromMs > toMs) return { fromMs: 0, toMs: 0 };
  return Number.isFinite(fromMs) && Number.isFinite(toMs) ? { fromMs, toMs } : undefined;
}

/** Compiles a statement that returns the lowest and the highest value of a datetime column. */
export function compileExtent(options: CompileOptions, columnId: string): Statement {
  const { query, dialect } = options;
  const { table, from } = joinTables(options);
  const scope = createColumnScope({ ...options, table });
  const { expression, type } = scope.storedOf(columnId);
  const least = dialect.aggregate({ aggregation: "min", expression, type });
  const greatest = dialect.aggregate({ aggregation: "max", expression, type });
  const unleveled = query.filters.some((each) =>
    leaves<ColumnFilter>(each).some((leaf) => leaf.level),
  );
  const where = compileFilters(unleveled ? [] : query.filters, scope, dialect);
  return writeStatement(
    sql`select ${dialect.output(least!, type)}, ${dialect.output(greatest!, type)} from ${from}${where}`,
    dialect,
  );
}
