import { questionWords } from "../../questions/index.ts";

/** The words in English. */
export const words = {
  searchColumns: "Search columns",
  kinds: { datetime: "Time", hierarchy: "Categories", numeric: "Numbers" },
  countRows: questionWords.countRows,
  shelves: { rows: "Rows", color: "Colour", measures: "Values", filters: "Filters" },
  calculation: "Show as…",
  value: "Value",
  addColumn: "Add a column",
  addColumnTo: (shelf: string) => `Add a column to ${shelf}`,
  about: (column: string) => `About ${column}`,
  profile: (rows: string, distinct: string) => `${rows}, ${distinct} distinct values.`,
  empty: (count: string) => `${count} empty.`,
  row: "row",
  rows: "rows",
  commonValues: "Most common values",
  distribution: "Distribution",
  noValue: "No value",
  addTo: (column: string) => `Add ${column} to`,
  remove: (column: string) => `Remove ${column}`,
  change: (column: string) => `Change ${column}`,
  levels: ["", "Year", "Quarter", "Month", "Week", "Day", "Hour", "Minute", "Second"],
  bin: (from: string, to: string, rows: string) => `${from} – ${to}: ${rows}`,
  described: (column: string, description: string) => `${column}: ${description}`,
  moreColumns: (count: string) => `${count} more. Search to find them.`,
};

/** The words of this table in one language. */
export type Words = typeof words;
