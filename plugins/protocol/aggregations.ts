import { namesOf, oneOf } from "./schemas.ts";

/**
 * The parts of a group from which an aggregation can be computed, however the rows of the group are split. The host
 * knows how to merge each of these lists.
 */
export type Parts =
  | readonly ["sum"]
  | readonly ["count"]
  | readonly ["min"]
  | readonly ["max"]
  | readonly ["sum", "count"];

/** The argument that an aggregation takes besides its values. */
export type AggregationArgument = "fraction" | "weight";

/** The size that bounds the rounding error: the sum of the absolute values, or the largest of them. */
export type Rounding = "total" | "largest";

/** One way to fold the values of a group into one. */
export interface AggregationDefinition {
  /** The values that it takes. */
  readonly argument: "number" | "any";
  /** Its other argument, which it requires and no other aggregation takes. */
  readonly takes?: AggregationArgument;
  /** The type of its result: a number, or `T`, the type of its values. */
  readonly result: "number" | "T";
  /** The comparison of values that it depends on. */
  readonly needs?: "order" | "equality";
  /** Absent: only from the values themselves. */
  readonly mergedFrom?: Parts;
  /** Its result over no values. */
  readonly empty: 0 | null;
  /** Whether a value counts once, however many rows have it. */
  readonly ignoresRepeats: boolean;
  /** Whether it depends on the rows of one group only. Otherwise it needs all groups in their final order. */
  readonly ofOneGroup: boolean;
  readonly inFormulas: boolean;
  /** By how much correct results may differ because doubles are rounded. Absent: not at all. */
  readonly rounds?: Rounding;
  /** One sentence without its subject: what it computes from the values that are not null. */
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
    meaning: "the value that comes first",
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
    meaning: "the value that comes last",
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
    meaning: "the exact number of different values",
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
      "the value at that fraction (a constant from 0 to 1) of the sorted values, interpolated between neighbours as SQL's percentile_cont does",
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
      "the running total of the sum over the rows of the answer, in their order, after `having` and before `limit`; a null adds nothing",
  },
} as const satisfies Readonly<Record<string, AggregationDefinition>>;

export type Aggregation = keyof typeof definitions;

/** The rows of the table, as their types: for what the compiler derives from them. */
export type Aggregations = typeof definitions;

/** The names of the aggregations whose row has a given member, such as `AggregationWith<"inFormulas", true>`. */
export type AggregationWith<Member extends keyof AggregationDefinition, Value> = {
  [Name in Aggregation]: Aggregations[Name] extends Readonly<Record<Member, Value>> ? Name : never;
}[Aggregation];

/**
 * The table of aggregations. Nulls are skipped; over no values counts are 0 and all others null.
 * Whatever depends on an aggregation derives from its row, or the compiler asks for it.
 */
export const aggregationDefinitions: Readonly<Record<Aggregation, AggregationDefinition>> =
  definitions;

/** The names of the aggregations, in the order of the table. */
export const aggregations: readonly Aggregation[] = namesOf(definitions);

/** The schema of an aggregation's name. */
export const Aggregation = oneOf(aggregations);
