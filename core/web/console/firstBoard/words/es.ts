import { counted } from "../../language/index.ts";
import type { Words } from "./en.ts";

const aggregated: Readonly<Record<string, (column: string) => string>> = {
  sum: (column) => `Total ${column}`,
  average: (column) => `Average ${column}`,
  median: (column) => `Median ${column}`,
  min: (column) => `Least ${column}`,
  max: (column) => `Greatest ${column}`,
};

const periods: Readonly<Record<number, string>> = {
  1: "year",
  2: "quarter",
  3: "month",
  4: "week",
  5: "day",
  6: "hour",
  7: "minute",
  8: "second",
};

/** The words in Spanish. */
export const words: Words = {
  boardName: (dataset: string) => `${dataset} overview`,
  place: "place",
  rows: "Rows",
  latestRows: "Latest rows",
  aggregated,
  share: (column: string) => `Share of ${column}`,
  distinct: (column: string) => `Distinct ${column}`,
  by: (measure: string, dimension: string) => `${measure} by ${dimension}`,
  byTwo: (measure: string, one: string, other: string) => `${measure} by ${one} and ${other}`,
  topOf: (count: number, measure: string, dimension: string) =>
    `${measure} by ${dimension}, top ${count}`,
  distribution: (column: string) => `Distribution of ${column}`,
  before: (title: string, day: string) => `${title}, before ${day}`,
  periods,
  made: (items: number) =>
    `Made ${counted(items, "chart", "charts")} from the shape of the data. Choose Edit to change them.`,
  cut: (shown: number, all: number) =>
    `The charts use the first ${shown} of ${counted(all, "column", "columns")}.`,
  undone: "The dashboard was deleted.",
  noRows: "There is nothing to show yet: the dataset has no rows.",
};
