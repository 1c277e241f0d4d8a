import {
  aggregationDefinitions,
  answerType,
  foldTree,
  PluginError,
  type DataType,
  type GroupLimit,
  type Having,
  type OutputFilter,
  type Query,
  type QueryColumn,
  secondColumnId,
} from "../protocol/index.ts";
import { createColumnScope, notOffered, type ColumnScope, type SqlValue } from "./columnScope.ts";
import { allOf, anyOf, compileFilters } from "./compileFilters.ts";
import type { CompileOptions } from "./compileOptions.ts";
import { compileTest, never } from "./compileTest.ts";
import type { Dialect } from "./dialect.ts";
import type { SqlTable, Statement } from "./driver.ts";
import { cell, join, sql, trusted, type Fragment } from "./fragment.ts";
import { joinTables } from "./joinTables.ts";
import type { PeriodClock } from "./periodClock.ts";
import { topTest } from "./topRows.ts";
import { writeStatement } from "./writeStatement.ts";

/** A column of a statement's answer. */
export interface OutputColumn {
  readonly id: string;
  readonly type: DataType;
  /** The clock of a time zone, if the cells are datetimes as that clock shows them. Absent otherwise. */
  readonly clock?: Pick<PeriodClock, "instantOf">;
}

/** A query that was compiled to a statement. */
export interface CompiledQuery {
  readonly statement: Statement;
  readonly columns: readonly OutputColumn[];
  /** The columns of the table and of its joins. */
  readonly table: SqlTable;
}

/**
 * Compiles a query to a single statement, whose cells are in the order of `query.columns`. An inner select reads,
 * filters and groups rows. An outer select filters groups, sorts and limits rows, and formats cells. Because of the two
 * selects, each expression occurs only once.
 * @throws {PluginError} PLUGIN_UNKNOWN_COLUMN, PLUGIN_INVALID; PLUGIN_NOT_OFFERED for a clause that the dialect cannot
 * write
 */
export function compileQuery(options: CompileOptions): CompiledQuery {
  const { query, dialect } = options;
  if (query.derived?.length) notOffered(dialect, "derived columns");
  const { table, from } = joinTables(options);
  const scope = createColumnScope({ ...options, table });
  const outputs = query.columns.map((column) => compileColumn(column, scope, options));
  const filters = compileFilters(query.filters, scope, dialect);
  const top = options.isCut && topTest(query, from, scope, dialect);
  const where = top
    ? sql`${filters}${trusted(query.filters.length > 0 ? " and " : " where ")}${top}`
    : filters;
  const prefix = aliasPrefix(table);
  const aliases = outputs.map((_, index) => trusted(dialect.quote(`${prefix}${index}`)));
  const selected = outputs.map(({ expression }, index) => sql`${expression} as ${aliases[index]!}`);
  const inner = sql`select ${selected.length > 0 ? join(selected, ", ") : trusted("1")} from ${from}${where}${groupBy(query)}`;
  const written = outputs.map(({ type }, index) => dialect.output(aliases[index]!, type));
  const having = compileHaving(query.having ?? [], outputs, aliases, dialect);
  const order = (query.order ?? []).map(({ column, order: direction }) => {
    const output = outputs[column];
    if (!output)
      throw invalid(
        `order refers to column ${column}, but the query has ${outputs.length} columns, counted from 0`,
      );
    return dialect.order(aliases[column]!, direction, output.type);
  });
  const groups = sql`(${inner}) ${trusted(dialect.quote("q"))}${having}`;
  const place = trusted(dialect.quote(`${prefix}place`));
  const rows = query.groupLimit
    ? leadingRows(query.groupLimit, { groups, aliases, order, place, dialect })
    : groups;
  const fragment = sql`select ${written.length > 0 ? join(written, ", ") : trusted("1")} from ${rows}${orderBy(order)}${limitOf(query, dialect)}`;
  return {
    statement: writeStatement(fragment, dialect),
    columns: outputs.map(({ type, clock, readings }, index) => {
      const column = query.columns[index]!;
      // Only plain rows contain readings; all other columns are instants already.
      const own = clock ?? (isPlain(column, query) ? readings?.clock : undefined);
      return { id: column.column_id, type, ...(own && { clock: own }) };
    }),
    table,
  };
}

function compileHaving(
  having: readonly Having[],
  outputs: readonly SqlValue[],
  aliases: readonly Fragment[],
  dialect: Dialect,
): Fragment {
  if (having.length === 0) return trusted("");
  const testOf = ({ column, expression, value }: OutputFilter) => {
    const output = outputs[column];
    if (!output)
      throw invalid(
        `having refers to column ${column}, but the query has ${outputs.length} columns, counted from 0`,
      );
    const { type, label, clock } = output;
    const grouped = { type, label, expression: aliases[column]!, ...(clock && { clock }) };
    return compileTest(grouped, expression, value, dialect);
  };
  const tests = having.map((test) =>
    foldTree<OutputFilter, Fragment>(test, { leaf: testOf, and: allOf, or: anyOf }),
  );
  return sql` where ${join(tests, " and ")}`;
}

function compileColumn(
  column: QueryColumn,
  scope: ColumnScope,
  { dialect, query }: CompileOptions,
): SqlValue {
  const { column_id, aggregation, fraction } = column;
  if (!aggregation)
    return isPlain(column, query) ? scope.plainOf(column_id) : scope.valueOf(column);
  if (!query.options.pushdown)
    throw invalid(`plain rows must not have aggregations: ${aggregation} of ${column_id}`);
  const isRows = aggregation === "count" && column_id === "*";
  const value = isRows ? undefined : scope.valueOf(column);
  const isWide = value && (aggregation === "sum" || aggregation === "average");
  const isUnchanged = column.level === undefined && !column.bin;
  const expression = isWide && isUnchanged ? scope.wideOf(column_id) : value?.expression;
  const secondId = secondColumnId(column);
  const second = secondId === undefined ? undefined : scope.valueOf({ column_id: secondId });
  const aggregated = dialect.aggregate({
    aggregation,
    expression,
    type: value?.type ?? "numeric",
    fraction,
    second: second?.expression,
    isGrouped: query.columns.some((each) => !each.aggregation),
  });
  const keepsType = aggregationDefinitions[aggregation].result === "T";
  return {
    expression: aggregated ?? notOffered(dialect, `the aggregation ${aggregation}`),
    type: answerType(column, value && { id: column_id, type: value.type }),
    label: `${aggregation} of ${column_id}`,
    ...(keepsType && value?.clock && { clock: value.clock }),
  };
}

/**
 * Returns whether the answer contains the values of a column unchanged, and the rest of the statement does not use the
 * column's alias.
 */
export function isPlain(
  { level, bin }: QueryColumn,
  { options, order = [], groupLimit, having = [] }: Query,
): boolean {
  const isUnchanged = level === undefined && !bin;
  const isRead = order.length > 0 || having.length > 0 || groupLimit !== undefined;
  return isUnchanged && !options.pushdown && !isRead;
}

/**
 * Groups by the positions of the keys. If the keys were repeated as expressions, their parameters would make them
 * different expressions.
 */
function groupBy({ columns, options }: Query): Fragment {
  if (!options.pushdown) return trusted("");
  const keys = columns.flatMap(({ aggregation }, index) => (aggregation ? [] : [index + 1]));
  return trusted(keys.length === 0 ? "" : ` group by ${keys.join(", ")}`);
}

interface OrderedGroups {
  /** SQL for the groups or rows, to be written after `from`. */
  readonly groups: Fragment;
  /** The name of each column of the query in `groups`. */
  readonly aliases: readonly Fragment[];
  readonly order: readonly Fragment[];
  /** A column name that occurs neither in the table nor in the query. */
  readonly place: Fragment;
  readonly dialect: Dialect;
}

/**
 * Writes SQL, to follow `from`, that selects the rows that a group limit keeps. The database numbers the rows of each
 * combination in the order of the answer.
 */
function leadingRows(
  { columns, by, offset = 0 }: GroupLimit,
  { groups, aliases, order, place, dialect }: OrderedGroups,
): Fragment {
  const equal = columns.map((column) => {
    const alias = aliases[column];
    if (alias) return alias;
    throw invalid(
      `groupLimit refers to column ${column}, but the query has ${aliases.length} columns, counted from 0`,
    );
  });
  const name = trusted(dialect.quote("n"));
  // ClickHouse crashes on several shards if the two tests below exclude each other.
  if (by === 0) return sql`(select ${join(aliases, ", ")} from ${groups}) ${name} where ${never}`;
  const numbered = sql`select ${join(aliases, ", ")}, row_number() over (partition by ${join(equal, ", ")}${orderBy(order)}) as ${place} from ${groups}`;
  const [first, last] = [offset, offset + by].map((each) => cell("numeric", each));
  return sql`(${numbered}) ${name} where ${place} > ${first!} and ${place} <= ${last!}`;
}

function orderBy(keys: readonly Fragment[]): Fragment {
  return keys.length === 0 ? trusted("") : sql` order by ${join(keys, ", ")}`;
}

function limitOf({ limit }: Query, dialect: Dialect): Fragment {
  return limit ? sql` ${dialect.limit(limit.by, limit.offset ?? 0)}` : trusted("");
}

const prefixes = new WeakMap<SqlTable, string>();

/**
 * Returns a prefix for aliases. No column name begins with it, because some databases confuse aliases with columns.
 */
function aliasPrefix(table: SqlTable): string {
  let prefix = prefixes.get(table);
  if (prefix !== undefined) return prefix;
  prefix = "c";
  const names = table.columns.map(({ name }) => name.toLowerCase());
  while (names.some((name) => name.startsWith(prefix!))) prefix += "_";
  prefixes.set(table, prefix);
  return prefix;
}

function invalid(detail: string): PluginError {
  return new PluginError("PLUGIN_INVALID", [detail]);
}
