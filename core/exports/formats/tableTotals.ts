import type { AnsweredTable, TableColumn } from "../../queries/index.ts";

/** The totals of a table in a file: one row above the others. */
export interface TableTotals {
  /** Label of the row, shown in the first column without a total. */
  readonly word: string;
  /** For each column of the file, the column whose first row is its total. Undefined if it has no total. */
  readonly columns: readonly (TableColumn | undefined)[];
}

/**
 * Assigns the answer to the totals query, one row, to the columns of a file. `place` returns the column index of each
 * total. Undefined if the answer has no row.
 */
export function tableTotals(
  { columns, rowCount }: Pick<AnsweredTable, "columns" | "rowCount">,
  place: (cells: readonly number[]) => readonly (number | null)[],
  word: string,
): TableTotals | undefined {
  if (rowCount === 0) return undefined;
  const placed = place(columns.map((_, index) => index));
  return {
    word,
    columns: placed.map((index) => (index === null ? undefined : columns[index])),
  };
}

/** Writes the cells of the totals. `write` writes a total, and `name` the label. A column without a total is "". */
export function totalCells(
  { columns, word }: TableTotals,
  write: (column: TableColumn, index: number) => string,
  name: (word: string) => string,
): string[] {
  const named = columns.indexOf(undefined);
  return columns.map((column, index) => {
    if (column) return write(column, index);
    return index === named ? name(word) : "";
  });
}
