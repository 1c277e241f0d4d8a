import type { AnsweredTable, TableColumn } from "../../queries/index.ts";

/** The totals of a table in a file, written as one row above all other rows. */
export interface TableTotals {
  /** Label of the row, shown in the first column without a total. */
  readonly word: string;
  /**
   * For each column of the file, the column of the totals answer that contains its total in row 0. Undefined for a
   * column without a total.
   */
  readonly columns: readonly (TableColumn | undefined)[];
}

/**
 * Assigns the totals, which are the only row of the answer to the totals query, to the columns of a file. Undefined if
 * the answer has no row.
 * @param place converts a list with one element per total to a list with one element per column of the file; the
 * element is null for a column without a total
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

/**
 * Returns the cells of the row of totals. `write` converts a total to a cell, and `name` converts the label to a cell.
 * A column without a total gets "".
 */
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
