import {
  type Bin,
  type Cell,
  type Column,
  type ColumnFilter,
  type DataType,
  foldTree,
  type Having,
  type Level,
  type GroupLimit,
  limitsOf,
  operatorDefinitions,
  type OutputFilter,
  type PositiveOperator,
  positiveOf,
  type Query,
  type QueryColumn,
  secondColumnId,
  type Tree,
} from "../protocol/index.ts";
import { aggregate } from "./aggregate.ts";
import { compareCells } from "./compareCells.ts";
import { periodStart } from "./periodStart.ts";
import { protocolSemantics, type Semantics } from "./semantics.ts";

/** The cells of one row, keyed by column id. */
export type PlainRow = Readonly<Record<string, Cell>>;

/** The rows of a dataset, with cells in their wire form. */
export interface PlainTable {
  readonly columns: readonly Pick<Column, "id" | "type">[];
  readonly rows: readonly PlainRow[];
}

/**
 * Answers a query over one table, row by row. Returns rows of cells in the order of `query.columns`. The code
 * follows the wording of the protocol and is not optimized for speed. A column that is missing from the table is null.
 * The table must already contain the derived and joined columns. O(rows * columns).
 */
export function answerPlainly(
  query: Query,
  { columns: known, rows: all }: PlainTable,
  semantics: Semantics = protocolSemantics,
): Cell[][] {
  const { columns, having = [], order = [], groupLimit, limit, options } = query;
  const timezone = options.timezone_id ?? "UTC";
  const types = new Map(known.map(({ id, type }) => [id, type]));
  const valueOf = (row: PlainRow, id: string, level?: Level, bin?: Bin): Cell => {
    const value = row[id] ?? null;
    if (bin && typeof value === "number") return binStart(value, bin, semantics);
    return level && typeof value === "string"
      ? periodStart(value, level, timezone, semantics)
      : value;
  };
  const shownOf = (row: PlainRow, { column_id, level, bin }: QueryColumn): Cell =>
    valueOf(row, column_id, semantics.ignoresLevels ? undefined : level, bin);
  const filters = semantics.readFilters<ColumnFilter>(query.filters);
  const isSelected = (row: PlainRow): boolean =>
    filters.every((filter) =>
      holds<ColumnFilter>(filter, (test) => {
        const level = semantics.ignoresFilterLevels ? undefined : test.level;
        const value = valueOf(row, test.column_id, level);
        return passes(value, test, semantics, types.get(test.column_id));
      }),
    );
  const cut = <Item>(items: readonly Item[]): Item[] => {
    if (!limit) return [...items];
    const [from, to] = semantics.pageOf(limit);
    return items.slice(Math.max(0, from), Math.max(0, to));
  };
  const considered = semantics.limits === "beforeFilters" ? cut(all) : all;
  const selected = considered.filter(isSelected);
  const isGrouped = options.pushdown && !semantics.ignoresGrouping;
  const groups = isGrouped
    ? groupsOf(selected, columns, shownOf, semantics)
    : selected.map((row) => [row]);
  let answered = groups
    .map((rows) => columns.map((column) => fold(rows, column, shownOf, semantics)))
    .filter((cells) => semantics.ignoresHaving || isKept(cells, having, semantics));
  if (semantics.rowsAreDistinct && !options.pushdown)
    answered = [...new Map(answered.map((cells) => [JSON.stringify(cells), cells])).values()];
  if (semantics.limits === "beforeOrder") answered = cut(answered);
  if (groupLimit && semantics.groupLimits === "beforeOrder")
    answered = leadingOf(answered, groupLimit, semantics);
  for (const { column, order: direction } of semantics.readOrder(order).toReversed())
    answered.sort((one, other) =>
      compareCells(one[column] ?? null, other[column] ?? null, direction, semantics),
    );
  columns.forEach(({ aggregation, per = [] }, column) => {
    if (aggregation !== "cumulativesum") return;
    const series = Map.groupBy(answered, (cells) =>
      JSON.stringify(
        per.map((each) => {
          const cell = cells[each] ?? null;
          return typeof cell === "string" ? semantics.equalityKey(cell) : cell;
        }),
      ),
    );
    for (const rows of series.values()) addUp(rows, column);
  });
  if (groupLimit && semantics.groupLimits === "last")
    answered = leadingOf(answered, groupLimit, semantics);
  return semantics.limits === "last" ? cut(answered) : answered;
}

/** Returns the rows that a limit per group keeps. */
function leadingOf(
  rows: readonly Cell[][],
  limit: GroupLimit,
  { groupPageOf, equalityKey }: Semantics,
): Cell[][] {
  const [from, to] = groupPageOf(limit);
  const seen = new Map<string, number>();
  return rows.filter((cells) => {
    const equal = limit.columns.map((column) => cells[column] ?? null);
    const id = JSON.stringify(
      equal.map((cell) => (typeof cell === "string" ? equalityKey(cell) : cell)),
    );
    const place = seen.get(id) ?? 0;
    seen.set(id, place + 1);
    return place >= from && place < to;
  });
}

function groupsOf(
  rows: readonly PlainRow[],
  columns: readonly QueryColumn[],
  shownOf: (row: PlainRow, column: QueryColumn) => Cell,
  { equalityKey, groupsNulls }: Semantics,
): PlainRow[][] {
  const keys = columns.filter(({ aggregation }) => !aggregation);
  if (keys.length === 0) return [[...rows]];
  const groups = new Map<string, PlainRow[]>();
  for (const row of rows) {
    const cells = keys.map((column) => shownOf(row, column));
    if (!groupsNulls && cells.includes(null)) continue;
    const id = JSON.stringify(
      cells.map((cell) => (typeof cell === "string" ? equalityKey(cell) : cell)),
    );
    const group = groups.get(id);
    if (group) group.push(row);
    else groups.set(id, [row]);
  }
  return [...groups.values()];
}

function fold(
  rows: readonly PlainRow[],
  column: QueryColumn,
  shownOf: (row: PlainRow, column: QueryColumn) => Cell,
  semantics: Semantics,
): Cell {
  if (column.column_id === "*") return rows.length;
  const values = rows.map((row) => shownOf(row, column));
  if (!column.aggregation) return values[0] ?? null;
  const second = secondColumnId(column);
  const seconds = second === undefined ? [] : rows.map((row) => row[second] ?? null);
  return aggregate(values, { ...column, aggregation: column.aggregation }, seconds, semantics);
}

function isKept(cells: readonly Cell[], having: readonly Having[], semantics: Semantics): boolean {
  return semantics
    .readFilters<OutputFilter>(having)
    .every((tree) =>
      holds<OutputFilter>(tree, (test) =>
        passes(cells[test.column] ?? null, test, semantics, undefined),
      ),
    );
}

function addUp(rows: readonly Cell[][], column: number): void {
  let sum: number | null = null;
  for (const row of rows) {
    const cell = row[column] ?? null;
    if (cell !== null) sum = (sum ?? 0) + Number(cell);
    row[column] = sum;
  }
}

function binStart(value: number, bin: Bin, { binsTowardsZero }: Semantics): number | null {
  const limits = limitsOf(bin);
  const start = limits.startOf(value);
  const shown = binsTowardsZero && value < 0 && start !== value ? start + bin.width : start;
  return Number.isFinite(shown) ? shown : null;
}

function holds<Leaf extends object>(test: Tree<Leaf>, leaf: (test: Leaf) => boolean): boolean {
  return foldTree<Leaf, boolean>(test, {
    leaf,
    and: (members) => members.every(Boolean),
    or: (members) => members.some(Boolean),
  });
}

/** Returns whether a cell passes a test. `type` is the type of its column, if it is known. */
function passes(
  given: Cell,
  { expression, value: list = [] }: Pick<ColumnFilter, "expression" | "value">,
  semantics: Semantics,
  type: DataType | undefined,
): boolean {
  if (semantics.ignoredOperators.has(expression)) return true;
  const tested = semantics.readTested(given, type, "cell");
  const values = list.map((value) => semantics.readTested(value, type, "value"));
  const isEmptyList = values.length === 0 && operatorDefinitions[expression].values === "list";
  if (isEmptyList && semantics.emptyListsPassAll) return true;
  const positive = positiveOf(expression);
  if (positive === expression) return meets(tested, positive, values, semantics);
  const isDropped =
    tested === null && positive !== "is null" && !semantics.negativePassesNull(expression);
  const isNone = positive === "in" && values.includes(null) && semantics.nullInListPassesNone;
  return !isDropped && !isNone && !meets(tested, positive, values, semantics);
}

function meets(
  value: Cell,
  operator: PositiveOperator,
  list: readonly Cell[],
  semantics: Semantics,
): boolean {
  const isEqual = (wanted: Cell) =>
    typeof value === "string" && typeof wanted === "string"
      ? semantics.equalityKey(value) === semantics.equalityKey(wanted)
      : value === wanted;
  const [wanted] = list;
  const isCompared = value !== null && wanted !== null && wanted !== undefined;
  switch (operator) {
    case "is null":
      return value === null;
    case "in":
      return semantics.readList(list).some(isEqual);
    case "=":
      return isCompared && isEqual(wanted);
    case "like":
    case "starts with":
    case "ends with":
      return isCompared && semantics.matches(operator, String(value), String(wanted));
    case "<":
    case "<=":
    case ">":
    case ">=":
      if (isCompared)
        return semantics.passesRange(operator, compareCells(value, wanted, "asc", semantics));
      return (
        (semantics.nanIsGreatest || semantics.nanPassesGreater) &&
        value === null &&
        typeof wanted === "number" &&
        operator.startsWith(">")
      );
  }
}
