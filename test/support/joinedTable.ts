import {
  cellsOfColumn,
  pairsOf,
  PluginError,
  type Query,
  type QueryJoin,
} from "../../plugins/protocol/index.ts";
import { plainAnswer, type PlainRow, type PlainTable } from "./plainAnswer.ts";

/** Joins the tables of a query, row by row. */
export function joinedTable(
  { id, joins = [] }: Query,
  tableOf: (id: string) => PlainTable,
): PlainTable {
  let { columns, rows } = tableOf(id);
  for (const join of joins) {
    const pairs = pairsOf(join);
    const [lefts, rights] = [pairs.map(({ left }) => left), pairs.map(({ right }) => right)];
    const other = passing(join, tableOf(join.id));
    for (const left of lefts)
      if (!columns.some((column) => column.id === left))
        throw new PluginError("PLUGIN_UNKNOWN_COLUMN", [id, left]);
    for (const wanted of [...rights, ...join.columns.map(({ column_id }) => column_id)])
      if (!other.columns.some((column) => column.id === wanted))
        throw new PluginError("PLUGIN_UNKNOWN_COLUMN", [join.id, wanted]);
    if (join.columns.some((added) => columns.some((column) => column.id === added.id)))
      throw new PluginError("PLUGIN_INVALID", ["two columns have the same id"]);
    const keys = other.rows.flatMap((row) => keyOf(row, rights) ?? []);
    if (new Set(keys).size < keys.length)
      throw new PluginError("PLUGIN_JOIN_AMBIGUOUS", [
        `the key ${rights.join(", ")} contains a value twice`,
      ]);
    columns = [...columns, ...join.columns];
    rows = rows.map((row) => {
      const key = keyOf(row, lefts);
      const met =
        key === undefined ? undefined : other.rows.find((each) => keyOf(each, rights) === key);
      const added = join.columns.map((column) => [column.id, met?.[column.column_id] ?? null]);
      return { ...row, ...Object.fromEntries(added) };
    });
  }
  return { columns, rows };
}

/** Returns a string that is equal for equal keys; undefined if the key contains null. */
function keyOf(row: PlainRow, columnIds: readonly string[]): string | undefined {
  const cells = columnIds.map((columnId) => row[columnId] ?? null);
  return cells.includes(null) ? undefined : JSON.stringify(cells);
}

/** Returns the rows of a joined dataset that pass the filters of that join. */
function passing({ id, filters = [], derived = [] }: QueryJoin, table: PlainTable): PlainTable {
  if (filters.length === 0) return table;
  const columns = table.columns.map((column) => ({ column_id: column.id }));
  const batch = plainAnswer({ id, columns, filters, derived, options: { pushdown: false } }, table);
  const cells = batch.columns.map(cellsOfColumn);
  const rows = Array.from({ length: batch.rowCount }, (_, row) =>
    Object.fromEntries(
      table.columns.map((column, index) => [column.id, cells[index]?.[row] ?? null]),
    ),
  );
  return { columns: table.columns, rows };
}
