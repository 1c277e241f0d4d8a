import { applyFunction, compareValues, type Value } from "../meanings/index.ts";
import type { FunctionName, Operator, PositiveOperatorOf } from "../protocol/index.ts";

/** The operators that search for a part of a string. */
export type TextOperator = PositiveOperatorOf<"part">;

/**
 * The points on which sources differ. `protocolSemantics` contains the protocol's choices, some of which each deviation
 * overrides.
 */
export interface Semantics {
  /** Returns a key for a string. Strings with the same key are equal in tests, groups and distinct counts. */
  equalityKey(text: string): string;
  /** Returns whether `like`, `starts with` or `ends with` finds a part in a string. */
  matches(operator: TextOperator, text: string, part: string): boolean;
  /** Compares two strings for sorting, and for their minimum and maximum. */
  compareTexts(one: string, other: string): number;
  /** Whether `<` and `>` also pass equal values. */
  readonly rangesAreClosed: boolean;
  /** Whether null passes `!=`, `not in` and the other negative operators. */
  readonly negativesPassNull: boolean;
  /** Operators that pass every row. */
  readonly ignoredOperators: ReadonlySet<Operator>;
  /** Whether `or` groups are treated as `and` groups. */
  readonly orIsAnd: boolean;
  readonly ignoresFilterLevels: boolean;
  readonly ignoresLevels: boolean;
  /** First day of a week, from 1 for Monday to 7 for Sunday. */
  readonly weekStart: number;
  /** The offset with which levels are computed: the zone's offset at the instant, UTC, or the zone's offset today. */
  readonly offsets: "zone" | "utc" | "today";
  /** Whether the answer includes groups with a null key. */
  readonly groupsNulls: boolean;
  /** Whether `count` of a column also counts nulls, and `distinctcount` counts null as a value. */
  readonly countsNulls: boolean;
  /** Whether null counts as 0 in averages and medians. */
  readonly nullIsZero: boolean;
  /** Whether the sum over no values is 0. */
  readonly emptySumIsZero: boolean;
  /** Whether averages are truncated to whole numbers. */
  readonly cutsAverages: boolean;
  /** Whether the standard deviation is computed for a population instead of a sample. */
  readonly populationDeviation: boolean;
  /** Whether medians and percentiles are always values from the rows, with the lower value chosen between two. */
  readonly lowerPercentiles: boolean;
  /** Whether the bin of a negative number starts at the limit closer to 0 instead of the lower limit. */
  readonly binsTowardsZero: boolean;
  readonly ignoresHaving: boolean;
  readonly nullOrder: "last" | "first" | "least" | "greatest";
  /**
   * Whether NaN, which is null on the wire, counts as greater than every number in `>`, in minimum and maximum, and in
   * the order.
   */
  readonly nanIsGreatest: boolean;
  /** Whether only the first of several filters is applied. */
  readonly firstFilterOnly: boolean;
  /** Whether null in the list of `in` or `not in` matches nothing. */
  readonly listsWithoutNull: boolean;
  readonly ignoresOrder: boolean;
  /** When the limit applies: after everything else, before the order, or before the filters. */
  readonly limits: "last" | "beforeOrder" | "beforeFilters";
  readonly ignoresOffset: boolean;
  /** Whether each page starts with the last row of the previous page. */
  readonly pagesOverlap: boolean;
  readonly ignoresLimit: boolean;
  /** Computes a function of expressions from its argument values. */
  readonly applyFunction: (name: FunctionName, args: readonly Value[]) => Value;
  /** Whether rows without a joined row are omitted. */
  readonly joinsInner: boolean;
  readonly ignoresJoinFilters: boolean;
}

/**
 * Returns a regular expression for an operator and a part. The flags `iu` compare by simple case folding (ECMA-262,
 * Canonicalize).
 */
export function pattern(operator: TextOperator, part: string): string {
  return `${operator === "starts with" ? "^" : ""}${part}${operator === "ends with" ? "$" : ""}`;
}

/** The semantics that the protocol defines. */
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
