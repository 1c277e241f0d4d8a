import type { AnsweredTable } from "../../queries/index.ts";
import type { ChosenSort } from "../parseChosen.ts";
import { sortedIndexes } from "../sortChosen.ts";

/** Returns a table with its rows in the order that a reader chose. O(rows log rows). */
export function sortedTable(
  table: AnsweredTable,
  sort: ChosenSort,
  localeId: string,
): AnsweredTable {
  const column = table.columns[sort.cell];
  if (!column) return table;
  const valueAt = (row: number) => {
    if (column.type === "text") return column.text(row);
    const value = column.number(row);
    return Number.isNaN(value) ? null : value;
  };
  const order = sortedIndexes(table.rowCount, valueAt, sort, localeId);
  const at = (row: number) => order[row] ?? row;
  return {
    ...table,
    columns: table.columns.map((each) => ({
      ...each,
      number: (row) => each.number(at(row)),
      text: (row) => each.text(at(row)),
      id: (row) => each.id(at(row)),
    })),
  };
}
