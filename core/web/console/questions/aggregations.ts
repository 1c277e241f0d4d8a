import type { Aggregation } from "../../client/index.ts";
import { inSentence } from "./inSentence.ts";
import { questionWords } from "./questionWords.ts";

interface OfferedAggregation {
  /**
   * Columns for which menus offer the aggregation. Absent if the aggregation needs a second argument or depends on the
   * order of the answer.
   */
  readonly columns?: "all" | "numbers";
  /** Parameters in formulas; absent if formulas cannot use the aggregation. */
  readonly parameters?: string;
}

/** All aggregations, in the order of the menus. */
export const aggregations = {
  sum: { columns: "numbers", parameters: "number" },
  average: { columns: "numbers", parameters: "number" },
  median: { columns: "numbers", parameters: "number" },
  min: { columns: "all", parameters: "value" },
  max: { columns: "all", parameters: "value" },
  count: { columns: "all", parameters: "value" },
  distinctcount: { columns: "all", parameters: "value" },
  stddev: { columns: "numbers", parameters: "number" },
  corr: { parameters: "number, other" },
  percentile: { parameters: "number, fraction" },
  weightedaverage: {},
  cumulativesum: {},
} as const satisfies Record<Aggregation, OfferedAggregation>;

const entries: Readonly<Record<string, OfferedAggregation>> = aggregations;
const names = (): Readonly<Record<string, string>> => questionWords.aggregations;

/** Returns the readable name of an aggregation; the given name if the aggregation is unknown. */
export const nameOfAggregation = (aggregation: string): string =>
  names()[aggregation] ?? aggregation;

/** Returns a measure in words, such as "Average delay". `said` are the words of the language. */
export function phraseOf(aggregation: string, columnName: string, said = questionWords): string {
  const phrases: Readonly<Record<string, (column: string) => string>> = said.phrases;
  return (
    phrases[aggregation]?.(inSentence(columnName, said)) ??
    `${nameOfAggregation(aggregation)} ${columnName}`
  );
}

/** Lists the aggregations that menus offer for a column. */
export const offeredAggregations = (isNumber: boolean): readonly string[] =>
  Object.entries(entries).flatMap(([aggregation, { columns }]) =>
    columns === "all" || (columns === "numbers" && isNumber) ? [aggregation] : [],
  );

/** The aggregations available in formulas, as `name(parameter, …)`. */
export const aggregationSignatures: readonly string[] = Object.entries(entries).flatMap(
  ([aggregation, { parameters }]) => (parameters ? [`${aggregation}(${parameters})`] : []),
);
