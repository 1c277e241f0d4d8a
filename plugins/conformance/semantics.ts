import { applyFunction, compareValues, type Value } from "../meanings/index.ts";
import type { FunctionName, Operator, PositiveOperatorOf } from "../protocol/index.ts";

/** The operators that match a part of a string. */
export type TextOperator = PositiveOperatorOf<"part">;

/**
 * The points on which sources differ. `protocolSemantics` contains the protocol's choices; a deviation overrides some.
 */
export interface Semantics {
  /** Returns a key; strings with the same key are equal in tests, groups and distinct counts. */
  equalityKey(text: string): string;
  /** Returns whether `like`, `starts with` or `ends with` finds a part. */
  matches(operator: TextOperator, text: string, part: string): boolean;
  /** Orders strings, also for their minimum and maximum. */
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
  /** The offset that levels use: the zone's offset at that instant, UTC, or the zone's offset today. */
  readonly offsets: "zone" | "utc" | "today";
  /** Whether the answer includes groups with a null key. */
  readonly groupsNulls: boolean;
  /** Whether `count` of a column counts nulls, and `distinctcount` counts null as a value. */
  readonly countsNulls: boolean;
  /** Whether null counts as 0 in averages and medians. */
  readonly nullIsZero: boolean;
  /** Whether the sum over no values is 0. */
  readonly emptySumIsZero: boolean;
  /** Whether averages are truncated to whole numbers. */
  readonly cutsAverages: boolean;
  /** Whether the standard deviation is the population's instead of the sample's. */
  readonly populationDeviation: boolean;
  /** Whether medians and percentiles are values from the rows, the lower of two. */
  readonly lowerPercentiles: boolean;
  /** Whether bins of negative numbers start at the limit closer to 0. */
  readonly binsTowardsZero: boolean;
  readonly ignoresHaving: boolean;
  readonly nullOrder: "last" | "first" | "least" | "greatest";
  /**
   * Whether NaN, which is null on the wire, is greater than every number: in `>`, in minimum and maximum, and in the
   * order.
   */
  readonly nanIsGreatest: boolean;
  /** Whether only the first of several filters is applied. */
  readonly firstFilterOnly: boolean;
  /** Whether null in a list of `in` or `not in` equals nothing. */
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

/** Anchors a pattern. The flags `iu` compare by simple case folding (ECMA-262, Canonicalize). */
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
