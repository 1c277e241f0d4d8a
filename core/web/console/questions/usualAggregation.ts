import { textOf } from "../language/index.ts";
import type { ExploredColumn } from "./columns.ts";
import { meaningOf, type NameMeaning } from "./meaningOf.ts";

/** How numbers are first measured by what their name says. Numbers per unit have no total, and names are counted. */
const aggregationsByMeaning: Readonly<Record<NameMeaning, string>> = {
  amount: "sum",
  rate: "average",
  latitude: "average",
  longitude: "average",
  ordinal: "average",
  birth: "average",
  identifier: "distinctcount",
  country: "distinctcount",
  period: "distinctcount",
  year: "distinctcount",
};

/**
 * Returns the aggregation with which a column is first measured. Columns say "sum" unless somebody chose another, so
 * for "sum" the name and the format of a number decide; other columns are counted.
 */
export function usualAggregation(
  column: Pick<ExploredColumn, "type" | "aggregation_type"> & {
    readonly name?: unknown;
    readonly format?: string | null;
  },
): string {
  if (column.type !== "numeric") return "distinctcount";
  if (column.aggregation_type && column.aggregation_type !== "sum") return column.aggregation_type;
  if (column.format?.includes("%")) return "average";
  const meaning = meaningOf(textOf(column.name));
  return meaning === undefined ? "sum" : aggregationsByMeaning[meaning];
}
