import {
  cellsOfColumn,
  PluginError,
  type Query,
  type QueryJoin,
} from "../../plugins/protocol/index.ts";
import { plainAnswer, type PlainTable } from "./plainAnswer.ts";

/** Joins the tables of a query one row at a time. */
export function joinedTable(
  { id, joins = [] }: Query,
  tableOf: (id: string) => PlainTable,
): PlainTable {
  let { columns, rows } = tableOf(id);
  for (const join of joins) {
    const { left, right } = join;
    const other = passing(join, tableOf(join.id));
    if (!columns.some((column) => column.id === left))
      throw new PluginError("PLUGIN_UNKNOWN_COLUMN", [id, left]);
    for (const wanted of [right, ...join.columns.map(({ column_id }) => column_id)])
      if (!other.columns.some((column) => column.id === wanted))
        throw new PluginError("PLUGIN_UNKNOWN_COLUMN", [join.id, wanted]);
    if (join.columns.some((added) => columns.some((column) => column.id === added.id)))
      throw new PluginError("PLUGIN_INVALID", ["two columns have the same id"]);
    const keys = other.rows.map((row) => row[right]).filter((key) => key != null);
    if (new Set(keys).size < keys.length)
      throw new PluginError("PLUGIN_JOIN_AMBIGUOUS", [
        `the column ${right} contains a value twice`,
      ]);
    columns = [...columns, ...join.columns];
    rows = rows.map((row) => {
      const key = row[left] ?? null;
      const met = key === null ? undefined : other.rows.find((each) => each[right] === key);
      const added = join.columns.map((column) => [column.id, met?.[column.column_id] ?? null]);
      return { ...row, ...Object.fromEntries(added) };
    });
  }
  return { columns, rows };
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
