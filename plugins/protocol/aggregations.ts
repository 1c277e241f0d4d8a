import { namesOf, oneOf } from "./schemas.ts";

/**
 * The partial results that the host needs to merge an aggregation. The merged result must not depend on how the rows of
 * a group are divided into parts.
 */
export type Parts =
  | readonly ["sum"]
  | readonly ["count"]
  | readonly ["min"]
  | readonly ["max"]
  | readonly ["sum", "count"];

/**
 * An argument that an aggregation takes in addition to its values: the fraction of a percentile, a column of weights,
 * or another column.
 */
export type AggregationArgument = "fraction" | "weight" | "other";

/**
 * The quantity to which a rounding error is proportional: the sum of the absolute values (`total`), the largest
 * absolute value (`largest`), or the largest absolute value divided by the standard deviation (`spread`).
 */
export type Rounding = "total" | "largest" | "spread";

/** The properties of an aggregation, which folds the values of a group into one value. */
export interface AggregationDefinition {
  /** The type of values that the aggregation accepts. */
  readonly argument: "number" | "any";
  /** The additional argument that the aggregation requires. Absent: the aggregation accepts no additional argument. */
  readonly takes?: AggregationArgument;
  /** The type of the result: a number, or `T`, the type of the values. */
  readonly result: "number" | "T";
  /**
   * Says on which comparison of values the result depends: on their order, or on which of them are equal. Absent: on
   * neither.
   */
  readonly needs?: "order" | "equality";
  /** The partial results from which the aggregation can be merged. Absent: merging requires the values themselves. */
  readonly mergedFrom?: Parts;
  /** The result if there are no values. */
  readonly empty: 0 | null;
  /** Whether repeated values leave the result unchanged. */
  readonly ignoresRepeats: boolean;
  /**
   * Whether the result depends on the rows of a single group only. If not, computing it requires all groups in their
   * final order.
   */
  readonly ofOneGroup: boolean;
  /** Whether formulas may use the aggregation. */
  readonly inFormulas: boolean;
  /**
   * The quantity to which the differences between correct results are proportional; they differ because doubles are
   * rounded. Absent: correct results do not differ.
   */
  readonly rounds?: Rounding;
  /** Describes the result over the values that are not null, as a phrase such as "the sum". */
  readonly meaning: string;
}

const definitions = {
  sum: {
    argument: "number",
    result: "number",
    mergedFrom: ["sum"],
    empty: null,
    ignoresRepeats: false,
    ofOneGroup: true,
    inFormulas: true,
    rounds: "total",
    meaning: "the sum",
  },
  min: {
    argument: "any",
    result: "T",
    needs: "order",
    mergedFrom: ["min"],
    empty: null,
    ignoresRepeats: true,
    ofOneGroup: true,
    inFormulas: true,
    meaning: "the lowest value",
  },
  max: {
    argument: "any",
    result: "T",
    needs: "order",
    mergedFrom: ["max"],
    empty: null,
    ignoresRepeats: true,
    ofOneGroup: true,
    inFormulas: true,
    meaning: "the highest value",
  },
  count: {
    argument: "any",
    result: "number",
    mergedFrom: ["count"],
    empty: 0,
    ignoresRepeats: false,
    ofOneGroup: true,
    inFormulas: true,
    meaning: "the number of values that are not null",
  },
  distinctcount: {
    argument: "any",
    result: "number",
    needs: "equality",
    empty: 0,
    ignoresRepeats: true,
    ofOneGroup: true,
    inFormulas: true,
    meaning: "the exact number of distinct values",
  },
  average: {
    argument: "number",
    result: "number",
    mergedFrom: ["sum", "count"],
    empty: null,
    ignoresRepeats: false,
    ofOneGroup: true,
    inFormulas: true,
    rounds: "total",
    meaning: "the sum divided by the count",
  },
  median: {
    argument: "number",
    result: "number",
    needs: "order",
    empty: null,
    ignoresRepeats: false,
    ofOneGroup: true,
    inFormulas: true,
    meaning: "the percentile at 0.5",
  },
  percentile: {
    argument: "number",
    takes: "fraction",
    result: "number",
    needs: "order",
    empty: null,
    ignoresRepeats: false,
    ofOneGroup: true,
    inFormulas: true,
    meaning:
      "the value at the given fraction (a constant from 0 to 1) of the sorted values, interpolated between neighbors as in SQL's percentile_cont",
  },
  stddev: {
    argument: "number",
    result: "number",
    empty: null,
    ignoresRepeats: false,
    ofOneGroup: true,
    inFormulas: true,
    rounds: "largest",
    meaning: "the standard deviation of the sample; null for a single value",
  },
  corr: {
    argument: "number",
    takes: "other",
    result: "number",
    empty: null,
    ignoresRepeats: false,
    ofOneGroup: true,
    inFormulas: true,
    rounds: "spread",
    meaning:
      "Pearson's correlation with the other number, from -1 to 1, over the rows where neither is null; null when there are fewer than two such rows, or when either number is the same in all of them",
  },
  weightedaverage: {
    argument: "number",
    takes: "weight",
    result: "number",
    empty: null,
    ignoresRepeats: false,
    ofOneGroup: true,
    inFormulas: false,
    rounds: "total",
    meaning:
      "sum(value * weight) / sum(weight) over the rows where neither is null; null when the weights sum to 0",
  },
  cumulativesum: {
    argument: "number",
    result: "number",
    mergedFrom: ["sum"],
    empty: null,
    ignoresRepeats: false,
    ofOneGroup: false,
    inFormulas: false,
    rounds: "total",
    meaning:
      "the running total of the sum over the rows of the answer in their order, computed after `having` and before `limit`; null adds nothing",
  },
} as const satisfies Readonly<Record<string, AggregationDefinition>>;

/** The name of an aggregation. */
export type Aggregation = keyof typeof definitions;

/** The type of the table of aggregations, from which other types are derived. */
export type Aggregations = typeof definitions;

/** The names of the aggregations with a given property, such as `AggregationWith<"inFormulas", true>`. */
export type AggregationWith<Member extends keyof AggregationDefinition, Value> = {
  [Name in Aggregation]: Aggregations[Name] extends Readonly<Record<Member, Value>> ? Name : never;
}[Aggregation];

/**
 * The table of aggregations. Nulls are skipped. If there are no values, counts are 0 and all other results are null.
 * Code that depends on an aggregation must be derived from its row, or fail to compile when a row is added.
 */
export const aggregationDefinitions: Readonly<Record<Aggregation, AggregationDefinition>> =
  definitions;

/** The names of the aggregations, in the order of the table. */
export const aggregations: readonly Aggregation[] = namesOf(definitions);

/** The schema of an aggregation's name. */
export const Aggregation = oneOf(aggregations);
