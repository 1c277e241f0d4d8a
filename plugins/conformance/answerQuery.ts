import { evaluate, type Value } from "../meanings/index.ts";
import {
  type Cell,
  type Derived,
  type ExpressionType,
  pairsOf,
  type Query,
  type QueryJoin,
} from "../protocol/index.ts";
import { answerPlainly, type PlainRow, type PlainTable } from "./answerPlainly.ts";
import { protocolSemantics, type Semantics } from "./semantics.ts";

/** A table, and the tables that a query may join to it, keyed by dataset id. */
export interface JoinableTable extends PlainTable {
  readonly others?: ReadonlyMap<string, PlainTable>;
}

/**
 * Answers a query that may have joins and derived columns. Adds these to the table, and then calls `answerPlainly`.
 * O(rows * joined rows) per join.
 */
export function answerQuery(
  query: Query,
  table: JoinableTable,
  semantics: Semantics = protocolSemantics,
): Cell[][] {
  let whole: PlainTable = table;
  for (const join of query.joins ?? []) whole = joinedWith(whole, join, table, semantics);
  return answerPlainly(query, withDerived(whole, query.derived ?? [], semantics), semantics);
}

function joinedWith(
  { columns, rows }: PlainTable,
  join: QueryJoin,
  { others }: JoinableTable,
  semantics: Semantics,
): PlainTable {
  const { id, columns: added, filters = [], derived = [] } = join;
  const pairs = semantics.ignoresFurtherKeys ? pairsOf(join).slice(0, 1) : pairsOf(join);
  const other = others?.get(id);
  if (!other) throw new TypeError(`the joined dataset ${id} does not exist`);
  const filtered = semantics.ignoresJoinFilters ? [] : filters;
  const source = withDerived(other, derived, semantics);
  const every = source.columns.map((column) => ({ column_id: column.id }));
  const query: Query = { id, columns: every, filters: filtered, options: { pushdown: false } };
  const kept = answerPlainly(query, source, semantics).map((cells): PlainRow =>
    Object.fromEntries(source.columns.map((column, at) => [column.id, cells[at] ?? null])),
  );
  /** Returns a string that is equal for equal keys; undefined if the key contains null. */
  const keyOf = (row: PlainRow, ids: readonly string[]): string | undefined => {
    const cells = ids.map((columnId) => row[columnId] ?? null);
    if (cells.includes(null)) return undefined;
    return JSON.stringify(
      cells.map((cell) => (typeof cell === "string" ? semantics.equalityKey(cell) : cell)),
    );
  };
  const [lefts, rights] = [pairs.map((pair) => pair.left), pairs.map((pair) => pair.right)];
  const met = new Map(kept.map((row) => [keyOf(row, rights), row]));
  const joined = rows.flatMap((row) => {
    const key = keyOf(row, lefts);
    const found = key === undefined ? undefined : met.get(key);
    if (!found && semantics.joinsInner) return [];
    const cells = added.map((column) => [column.id, found?.[column.column_id] ?? null]);
    return [{ ...row, ...Object.fromEntries(cells) }];
  });
  return { columns: [...columns, ...added], rows: joined };
}

/** Adds the derived columns of a query to a table. */
function withDerived(
  { columns, rows }: PlainTable,
  derived: readonly Derived[],
  { applyFunction }: Semantics,
): PlainTable {
  if (derived.length === 0) return { columns, rows };
  const types = new Map<string, ExpressionType>(columns.map(({ id, type }) => [id, type]));
  const computed = rows.map((row): PlainRow => {
    const own = derived.map(({ id, type, expression }) => {
      const value = evaluate(
        expression,
        (columnId) => valueOf(row[columnId] ?? null, types.get(columnId)),
        applyFunction,
      );
      return [id, cellOf(value, type)];
    });
    return { ...row, ...Object.fromEntries(own) };
  });
  return { columns: [...columns, ...derived], rows: computed };
}

function valueOf(cell: Cell, type: ExpressionType | undefined): Value {
  return type === "datetime" && typeof cell === "string" ? Date.parse(cell) : cell;
}

function cellOf(value: Value, type: ExpressionType): Cell {
  if (typeof value === "boolean")
    throw new TypeError("a derived column must be a value, not a test");
  return type === "datetime" && typeof value === "number" ? new Date(value).toISOString() : value;
}
