import { applyFunction, compareValues, type Value } from "../meanings/index.ts";
import type { FunctionName, Operator, PositiveOperatorOf } from "../protocol/index.ts";

/** The operators that look for a part of a text. */
export type TextOperator = PositiveOperatorOf<"part">;

/** The choices in which sources differ. `protocolSemantics` makes those of the protocol; a deviation makes another. */
export interface Semantics {
  /** Two texts are equal when their keys are: in tests, groups and distinct counts. */
  equalityKey(text: string): string;
  /** Where `like`, `starts with` or `ends with` finds a part. */
  matches(operator: TextOperator, text: string, part: string): boolean;
  /** The order of texts, also of their extremes. */
  compareTexts(one: string, other: string): number;
  /** `<` passes what `<=` passes, and `>` what `>=` passes. */
  readonly rangesAreClosed: boolean;
  /** Null passes `!=`, `not in` and the other negative operators. */
  readonly negativesPassNull: boolean;
  /** Operators that pass every row. */
  readonly ignoredOperators: ReadonlySet<Operator>;
  /** `or` groups are read as `and` groups. */
  readonly orIsAnd: boolean;
  readonly ignoresFilterLevels: boolean;
  readonly ignoresLevels: boolean;
  /** The first day of a week, 1 for Monday to 7. */
  readonly weekStart: number;
  /** The offset that levels use: of the zone at that instant, of UTC, or of the zone today. */
  readonly offsets: "zone" | "utc" | "today";
  /** Groups whose key is null are in the answer. */
  readonly groupsNulls: boolean;
  /** `count` of a column counts nulls, and `distinctcount` counts null as one value. */
  readonly countsNulls: boolean;
  /** Null is 0 in averages and medians. */
  readonly nullIsZero: boolean;
  /** A sum over no values is 0. */
  readonly emptySumIsZero: boolean;
  /** Averages are cut to whole numbers. */
  readonly cutsAverages: boolean;
  /** The deviation of the population instead of the sample's. */
  readonly populationDeviation: boolean;
  /** Medians and percentiles are values of the rows, the lower one of two. */
  readonly lowerPercentiles: boolean;
  /** Bins of negative numbers start at the limit towards 0. */
  readonly binsTowardsZero: boolean;
  readonly ignoresHaving: boolean;
  readonly nullOrder: "last" | "first" | "least" | "greatest";
  /** NaN, which the wire shows as null, is greater than every number: in `>`, in extremes and in the order. */
  readonly nanIsGreatest: boolean;
  /** Only the first of several filters is applied. */
  readonly firstFilterOnly: boolean;
  /** Null in a list of `in` or `not in` equals nothing. */
  readonly listsWithoutNull: boolean;
  readonly ignoresOrder: boolean;
  /** When the limit cuts: after everything else, before the order, or before the filters. */
  readonly limits: "last" | "beforeOrder" | "beforeFilters";
  readonly ignoresOffset: boolean;
  /** A page after the first starts with the last row of the page before. */
  readonly pagesOverlap: boolean;
  readonly ignoresLimit: boolean;
  /** Computes a function of values. */
  readonly applyFunction: (name: FunctionName, args: readonly Value[]) => Value;
  /** Rows that meet no row of the joined dataset are left out. */
  readonly joinsInner: boolean;
  readonly ignoresJoinFilters: boolean;
}

/** Anchors the pattern of a part. The flags `iu` compare by simple case folding (ECMA-262, Canonicalize). */
export function pattern(operator: TextOperator, part: string): string {
  return `${operator === "starts with" ? "^" : ""}${part}${operator === "ends with" ? "$" : ""}`;
}

/** The semantics of the protocol. */
export const protocolSemantics: Semantics = {
  equalityKey: (text) => text,
  matches: (operator, text, part) =>
    new RegExp(pattern(operator, RegExp.escape(part)), "iu").test(text),
  compareTexts: compareValues,
  rangesAreClosed: false,
  negativesPassNull: true,
  ignoredOperators: new Set(),
  orIsAnd: false,
  ignoresFilterLevels: false,
  ignoresLevels: false,
  weekStart: 1,
  offsets: "zone",
  groupsNulls: true,
  countsNulls: false,
  nullIsZero: false,
  emptySumIsZero: false,
  cutsAverages: false,
  populationDeviation: false,
  lowerPercentiles: false,
  binsTowardsZero: false,
  ignoresHaving: false,
  nullOrder: "last",
  nanIsGreatest: false,
  firstFilterOnly: false,
  listsWithoutNull: false,
  ignoresOrder: false,
  limits: "last",
  ignoresOffset: false,
  pagesOverlap: false,
  ignoresLimit: false,
  applyFunction,
  joinsInner: false,
  ignoresJoinFilters: false,
};
