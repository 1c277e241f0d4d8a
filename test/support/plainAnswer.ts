import { answerPlainly, type PlainRow, type PlainTable } from "../../plugins/conformance/index.ts";
import {
  answerType,
  columnOfCells,
  leaves,
  PluginError,
  secondColumnId,
  type Batch,
  type Query,
} from "../../plugins/protocol/index.ts";
import { plainExpression } from "./plainExpression.ts";

export type { PlainRow, PlainTable };

/**
 * Answers a query over one table, including its derived columns, row by row. Tests use it as the oracle for the meaning
 * of queries.
 */
export function plainAnswer(query: Query, table: PlainTable): Batch {
  if (query.derived?.length) return plainAnswer(withoutDerived(query), derivedTable(query, table));
  const { columns } = query;
  const find = (id: string) => table.columns.find((column) => column.id === id);
  const named = [
    ...columns.flatMap((column) => [column.column_id, secondColumnId(column) ?? column.column_id]),
    ...query.filters.flatMap((filter) => leaves(filter).map(({ column_id }) => column_id)),
  ];
  const unknown = named.find((id) => id !== "*" && !find(id));
  if (unknown !== undefined) throw new PluginError("PLUGIN_UNKNOWN_COLUMN", [query.id, unknown]);
  const rows = answerPlainly(query, table);
  return {
    rowCount: rows.length,
    columns: columns.map((column, index) =>
      columnOfCells(
        { id: column.column_id, type: answerType(column, find(column.column_id)) },
        rows.map((row) => row[index] ?? null),
      ),
    ),
  };
}

function withoutDerived(query: Query): Query {
  const { derived: _, ...rest } = query;
  return rest;
}

/** Returns the table with the query's derived columns added as ordinary columns. */
function derivedTable({ id, derived = [] }: Query, table: PlainTable): PlainTable {
  const columns = new Map(table.columns.map((column) => [column.id, column]));
  return {
    columns: [...table.columns, ...derived],
    rows: table.rows.map((row) => {
      const cellOf = (columnId: string) => {
        const column = columns.get(columnId);
        if (!column) throw new PluginError("PLUGIN_UNKNOWN_COLUMN", [id, columnId]);
        return { type: column.type, cell: row[columnId] ?? null };
      };
      const added = derived.map((each) => [
        each.id,
        plainExpression(each.expression, each.type, cellOf),
      ]);
      return { ...row, ...(Object.fromEntries(added) as PlainRow) };
    }),
  };
}
