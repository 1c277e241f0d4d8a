import { namesOf, oneOf } from "./schemas.ts";

/**
 * The intermediate results from which an aggregation can be computed, however the rows of a group are split. The host
 * can merge each of these lists.
 */
export type Parts =
  | readonly ["sum"]
  | readonly ["count"]
  | readonly ["min"]
  | readonly ["max"]
  | readonly ["sum", "count"];

/** An argument of an aggregation besides its values. */
export type AggregationArgument = "fraction" | "weight";

/** The bound of the rounding error: the sum of the absolute values, or the largest of them. */
export type Rounding = "total" | "largest";

/** How an aggregation folds the values of a group into one value. */
export interface AggregationDefinition {
  /** The type of values that it accepts. */
  readonly argument: "number" | "any";
  /** Its other argument. It is required, and other aggregations do not accept it. */
  readonly takes?: AggregationArgument;
  /** The type of its result: a number, or `T`, the type of its values. */
  readonly result: "number" | "T";
  /** Whether it depends on the order or on the equality of values. Absent: on neither. */
  readonly needs?: "order" | "equality";
  /** The intermediate results that it can be merged from. Absent: it needs the values themselves. */
  readonly mergedFrom?: Parts;
  /** Its result over no values. */
  readonly empty: 0 | null;
  /** Whether repeated values make no difference. */
  readonly ignoresRepeats: boolean;
  /** Whether it depends on the rows of one group only. If not, it needs all groups in their final order. */
  readonly ofOneGroup: boolean;
  /** Whether formulas may use it. */
  readonly inFormulas: boolean;
  /**
   * The bound of the difference that rounding of doubles can make between correct results. Absent: they do not differ.
   */
  readonly rounds?: Rounding;
  /** The result, computed from the values that are not null, as a phrase without a subject. */
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
      "the value at that fraction (a constant from 0 to 1) of the sorted values, interpolated between neighbors as in SQL's percentile_cont",
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
      "the running total of the sum over the rows of the answer, in their order, after `having` and before `limit`; null adds nothing",
  },
} as const satisfies Readonly<Record<string, AggregationDefinition>>;

/** The name of an aggregation. */
export type Aggregation = keyof typeof definitions;

/** The type of the table, from which other types are derived. */
export type Aggregations = typeof definitions;

/** The names of the aggregations whose row has a given member, such as `AggregationWith<"inFormulas", true>`. */
export type AggregationWith<Member extends keyof AggregationDefinition, Value> = {
  [Name in Aggregation]: Aggregations[Name] extends Readonly<Record<Member, Value>> ? Name : never;
}[Aggregation];

/**
 * The table of aggregations. Nulls are skipped. Over no values, counts are 0 and all others are null. Code that depends
 * on an aggregation must be derived from its row, or fail to compile when a row is added.
 */
export const aggregationDefinitions: Readonly<Record<Aggregation, AggregationDefinition>> =
  definitions;

/** The names of the aggregations, in the order of the table. */
export const aggregations: readonly Aggregation[] = namesOf(definitions);

/** The schema of an aggregation's name. */
export const Aggregation = oneOf(aggregations);
