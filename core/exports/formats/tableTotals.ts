import type { AnsweredTable, TableColumn } from "../../queries/index.ts";

/** The totals of a table of a file: one row above the others. */
export interface TableTotals {
  /** Names the row, in the first column without a total. */
  readonly word: string;
  /** For each column of the file, the column whose first row is its total; undefined for none. */
  readonly columns: readonly (TableColumn | undefined)[];
}

/**
 * Puts the answer of the totals, one row, below the columns of a file. `place` returns the index of the column of each
 * total. Undefined for an answer without a row.
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

/** Writes the cells of the totals: `write` takes the column of a total, `name` the word; "" for no total. */
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
