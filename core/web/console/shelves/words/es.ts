import type { Words } from "./en.ts";

/** The words in Spanish. */
export const words: Words = {
  searchColumns: "Search columns",
  kinds: { datetime: "Time", hierarchy: "Categories", numeric: "Numbers" },
  countRows: "Count of rows",
  shelves: { rows: "Rows", color: "Colour", measures: "Values", filters: "Filters" },
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
  moreColumns: (count: string) => `${count} more. Search to find them.`,
};
