import {
  type Bin,
  type Cell,
  type Column,
  type ColumnFilter,
  foldTree,
  type Having,
  type Level,
  limitsOf,
  type Operator,
  type OutputFilter,
  positiveOf,
  type Query,
  type QueryColumn,
  type Tree,
} from "../protocol/index.ts";
import { aggregate } from "./aggregate.ts";
import { compareCells } from "./compareCells.ts";
import { periodStart } from "./periodStart.ts";
import { protocolSemantics, type Semantics } from "./semantics.ts";

/** The cells of one row, by column id. */
export type PlainRow = Readonly<Record<string, Cell>>;

/** The rows of a dataset, with cells in their wire form. */
export interface PlainTable {
  readonly columns: readonly Pick<Column, "id" | "type">[];
  readonly rows: readonly PlainRow[];
}

/**
 * Answers a query over a table one row at a time. Returns rows of cells in the order of `query.columns`. The code
 * follows the wording of the protocol and is not optimized for speed. Columns that the table does not have are null.
 * The table must already contain the derived and joined columns. O(rows * columns).
 */
export function answerPlainly(
  query: Query,
  { rows: all }: PlainTable,
  semantics: Semantics = protocolSemantics,
): Cell[][] {
  const { columns, filters, having = [], order = [], limit, options } = query;
  const timezone = options.timezone_id ?? "UTC";
  const valueOf = (row: PlainRow, id: string, level?: Level, bin?: Bin): Cell => {
    const value = row[id] ?? null;
    if (bin && typeof value === "number") return binStart(value, bin, semantics);
    return level && typeof value === "string"
      ? periodStart(value, level, timezone, semantics)
      : value;
  };
  const shownOf = (row: PlainRow, { column_id, level, bin }: QueryColumn): Cell =>
    valueOf(row, column_id, semantics.ignoresLevels ? undefined : level, bin);
  const tested = semantics.firstFilterOnly ? filters.slice(0, 1) : filters;
  const isSelected = (row: PlainRow): boolean =>
    tested.every((filter) =>
      holds<ColumnFilter>(filter, semantics, ({ column_id, level, expression, value }) => {
        const own = semantics.ignoresFilterLevels ? undefined : level;
        return passes(valueOf(row, column_id, own), expression, value, semantics);
      }),
    );
  const cut = <Item>(items: readonly Item[]): Item[] => {
    if (!limit || semantics.ignoresLimit) return [...items];
    const offset = semantics.ignoresOffset ? 0 : (limit.offset ?? 0);
    const from = semantics.pagesOverlap ? Math.max(0, offset - 1) : offset;
    return items.slice(from, from + limit.by);
  };
  const considered = semantics.limits === "beforeFilters" ? cut(all) : all;
  const selected = considered.filter(isSelected);
  const groups = options.pushdown
    ? groupsOf(selected, columns, shownOf, semantics)
    : selected.map((row) => [row]);
  let answered = groups
    .map((rows) => columns.map((column) => fold(rows, column, shownOf, semantics)))
    .filter((cells) => semantics.ignoresHaving || isKept(cells, having, semantics));
  if (semantics.limits === "beforeOrder") answered = cut(answered);
  if (!semantics.ignoresOrder)
    for (const { column, order: direction } of order.toReversed())
      answered.sort((one, other) =>
        compareCells(one[column] ?? null, other[column] ?? null, direction, semantics),
      );
  columns.forEach(({ aggregation }, column) => {
    if (aggregation === "cumulativesum") addUp(answered, column);
  });
  return semantics.limits === "last" ? cut(answered) : answered;
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
  const weights = rows.map((row) => row[column.weight ?? ""] ?? null);
  return aggregate(values, { ...column, aggregation: column.aggregation }, weights, semantics);
}

function isKept(cells: readonly Cell[], having: readonly Having[], semantics: Semantics): boolean {
  return having.every((test) =>
    holds<OutputFilter>(test, semantics, ({ column, expression, value }) =>
      passes(cells[column] ?? null, expression, value, semantics),
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

function holds<Leaf extends object>(
  test: Tree<Leaf>,
  { orIsAnd }: Semantics,
  leaf: (test: Leaf) => boolean,
): boolean {
  return foldTree<Leaf, boolean>(test, {
    leaf,
    and: (members) => members.every(Boolean),
    or: (members) => (orIsAnd ? members.every(Boolean) : members.some(Boolean)),
  });
}

/** Returns whether a value passes a test of a column. */
function passes(
  value: Cell,
  operator: Operator,
  list: readonly Cell[] = [],
  semantics: Semantics = protocolSemantics,
): boolean {
  if (semantics.ignoredOperators.has(operator)) return true;
  const positive = positiveOf(operator);
  if (positive !== operator) {
    const isDropped = value === null && positive !== "is null" && !semantics.negativesPassNull;
    return !isDropped && !passes(value, positive, list, semantics);
  }
  const isEqual = (wanted: Cell) =>
    typeof value === "string" && typeof wanted === "string"
      ? semantics.equalityKey(value) === semantics.equalityKey(wanted)
      : value === wanted;
  const [wanted] = list;
  const isCompared = value !== null && wanted !== null && wanted !== undefined;
  const isAbove = semantics.nanIsGreatest && value === null && typeof wanted === "number";
  const sign = () => (isCompared ? compareCells(value, wanted, "asc", semantics) : Number.NaN);
  switch (positive) {
    case "is null":
      return value === null;
    case "in":
      return list.some((each) => isEqual(each) && !(semantics.listsWithoutNull && each === null));
    case "=":
      return isCompared && isEqual(wanted);
    case "like":
    case "starts with":
    case "ends with":
      return isCompared && semantics.matches(positive, String(value), String(wanted));
    case "<":
      return sign() < 0 || (sign() === 0 && semantics.rangesAreClosed);
    case "<=":
      return sign() <= 0;
    case ">":
      return isAbove || sign() > 0 || (sign() === 0 && semantics.rangesAreClosed);
    case ">=":
      return isAbove || sign() >= 0;
  }
}
