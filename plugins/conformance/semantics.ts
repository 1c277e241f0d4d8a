import { applyFunction, compareValues, type Value } from "../meanings/index.ts";
import type {
  Cell,
  DataType,
  FunctionName,
  GroupLimit,
  Level,
  Limit,
  Operator,
  Order,
  PositiveOperatorOf,
  Tree,
} from "../protocol/index.ts";

/** The operators that search for a part of a string. */
export type TextOperator = PositiveOperatorOf<"part">;

/** The operators that compare values by their order. */
export type RangeOperator = PositiveOperatorOf<"order">;

/** The start of a period, as the protocol defines it. */
export interface PeriodStart {
  readonly startMs: number;
  readonly level: Level;
  /** The zone or the offset in which the period was computed. */
  readonly timezone: string;
}

/**
 * The rules on which sources differ. `protocolSemantics` contains the protocol's choices. Each deviation overrides
 * some of these choices.
 */
export interface Semantics {
  /** Returns a key for a string. Strings with the same key are equal in tests, groups and distinct counts. */
  equalityKey(text: string): string;
  /**
   * Returns a key for a string in an answer. Strings with the same key may replace each other, because the source
   * treats them as equal.
   */
  answerKey(text: string): string;
  /** Returns whether a string passes `like`, `starts with` or `ends with`, with the given part. */
  matches(operator: TextOperator, text: string, part: string): boolean;
  /** Compares two strings for sorting, for tests, and for their minimum and maximum. */
  compareTexts(one: string, other: string): number;
  /** Compares two numbers for sorting, for tests, and for their minimum and maximum. */
  compareNumbers(one: number, other: number): number;
  /**
   * Returns whether a comparison passes, given the sign of the difference: negative if the cell is below the value, 0
   * if they are equal.
   */
  passesRange(operator: RangeOperator, sign: number): boolean;
  /** Returns whether null passes `!=`, `not in` and the other negative operators. */
  negativePassesNull(operator: Operator): boolean;
  /** Operators that are ignored, so that every row passes. */
  readonly ignoredOperators: ReadonlySet<Operator>;
  /** Changes the filters on rows, or on groups, before they are applied. The resulting filters are joined by AND. */
  readFilters<Leaf extends object>(filters: readonly Tree<Leaf>[]): readonly Tree<Leaf>[];
  /**
   * Changes a cell, or a value with which a cell is compared, before a filter on a column of the given type tests it.
   */
  readTested(cell: Cell, type: DataType | undefined, side: "cell" | "value"): Cell;
  /** Changes the list of `in` and `not in` before it is used. */
  readList(list: readonly Cell[]): readonly Cell[];
  /** Whether `not in` passes no row if its list contains null, as in SQL. */
  readonly nullInListPassesNone: boolean;
  /** Whether `in` and `not in` with an empty list pass every row. */
  readonly emptyListsPassAll: boolean;
  readonly ignoresFilterLevels: boolean;
  readonly ignoresLevels: boolean;
  /** First day of a week, from 1 for Monday to 7 for Sunday. */
  readonly weekStart: number;
  /**
   * Returns the zone, or an offset such as `+05:00`, in which levels are computed for a query whose time zone is
   * `timezone`.
   */
  zoneOf(timezone: string): string;
  /** Returns the instant, in milliseconds, that answers contain for the start of a period. */
  readStart(start: PeriodStart): number;
  /** Whether each row forms a group of its own. */
  readonly ignoresGrouping: boolean;
  /** Whether the answer includes groups with a null key. */
  readonly groupsNulls: boolean;
  /** Whether `count` of a column also counts nulls, and `distinctcount` counts null as a value. */
  readonly countsNulls: boolean;
  /** Whether null counts as 0 in averages and medians. */
  readonly nullIsZero: boolean;
  /** Whether the sum over no values is 0. */
  readonly emptySumIsZero: boolean;
  /** Whether `count` of a column counts each distinct value once. */
  readonly countsDistinct: boolean;
  /** Whether sums and averages contain each distinct value once. */
  readonly sumsDistinct: boolean;
  /** Returns the value that answers contain for an average. */
  roundAverage(mean: number): number;
  /** Whether the standard deviation is computed for a population instead of a sample. */
  readonly populationDeviation: boolean;
  /** Whether medians and percentiles are always values from the rows. Between two values, the lower value is chosen. */
  readonly lowerPercentiles: boolean;
  /** Whether the bin of a negative number starts at the limit closer to 0 instead of the lower limit. */
  readonly binsTowardsZero: boolean;
  readonly ignoresHaving: boolean;
  readonly nullOrder: "last" | "first" | "least" | "greatest";
  /**
   * Whether NaN, which is null on the wire, is treated as greater than every number: by `>`, by the minimum and
   * maximum, and by sorting.
   */
  readonly nanIsGreatest: boolean;
  /** Whether NaN, which is null on the wire, passes `>` and `>=`. */
  readonly nanPassesGreater: boolean;
  /** Whether repeated rows occur only once in an answer of plain rows. */
  readonly rowsAreDistinct: boolean;
  /** Changes the sort keys before they are applied. */
  readOrder(order: readonly Order[]): readonly Order[];
  /** Says when the limit applies: after everything else, before sorting, or before the filters. */
  readonly limits: "last" | "beforeOrder" | "beforeFilters";
  /** Returns the index of the first row that a limit keeps, and the index after the last row that it keeps. */
  pageOf(limit: Limit): readonly [from: number, to: number];
  /** Says whether the limit per group applies in the order of the answer, or before sorting. */
  readonly groupLimits: "last" | "beforeOrder";
  /**
   * Returns the position, within a group, of the first row that a limit per group keeps, and the position after the
   * last row that it keeps.
   */
  groupPageOf(limit: GroupLimit): readonly [from: number, to: number];
  /** Computes the result of a function of expressions from the values of its arguments. */
  readonly applyFunction: (name: FunctionName, args: readonly Value[]) => Value;
  /** Whether rows without a joined row are omitted. */
  readonly joinsInner: boolean;
  /** Whether a join compares only the first columns of its key. */
  readonly ignoresFurtherKeys: boolean;
  readonly ignoresJoinFilters: boolean;
}

/**
 * Returns a regular expression for an operator and a part. The flags `iu` compare by simple case folding (ECMA-262,
 * Canonicalize).
 */
export function pattern(operator: TextOperator, part: string): string {
  return `${operator === "starts with" ? "^" : ""}${part}${operator === "ends with" ? "$" : ""}`;
}

/** Returns whether a comparison passes, as the protocol defines it. See `Semantics.passesRange`. */
export function passesRange(operator: RangeOperator, sign: number): boolean {
  switch (operator) {
    case "<":
      return sign < 0;
    case "<=":
      return sign <= 0;
    case ">":
      return sign > 0;
    case ">=":
      return sign >= 0;
  }
}

/** The semantics that the protocol defines. */
export const protocolSemantics: Semantics = {
  equalityKey: (text) => text,
  answerKey: (text) => text,
  matches: (operator, text, part) =>
    new RegExp(pattern(operator, RegExp.escape(part)), "iu").test(text),
  compareTexts: compareValues,
  compareNumbers: (one, other) => one - other,
  passesRange,
  negativePassesNull: () => true,
  ignoredOperators: new Set(),
  readFilters: (filters) => filters,
  readTested: (cell) => cell,
  readList: (list) => list,
  nullInListPassesNone: false,
  emptyListsPassAll: false,
  ignoresFilterLevels: false,
  ignoresLevels: false,
  weekStart: 1,
  zoneOf: (timezone) => timezone,
  readStart: ({ startMs }) => startMs,
  ignoresGrouping: false,
  groupsNulls: true,
  countsNulls: false,
  nullIsZero: false,
  emptySumIsZero: false,
  countsDistinct: false,
  sumsDistinct: false,
  roundAverage: (mean) => mean,
  populationDeviation: false,
  lowerPercentiles: false,
  binsTowardsZero: false,
  ignoresHaving: false,
  nullOrder: "last",
  nanIsGreatest: false,
  nanPassesGreater: false,
  rowsAreDistinct: false,
  readOrder: (order) => order,
  limits: "last",
  pageOf: ({ by, offset = 0 }) => [offset, offset + by],
  groupLimits: "last",
  groupPageOf: ({ by, offset = 0 }) => [offset, offset + by],
  applyFunction,
  joinsInner: false,
  ignoresFurtherKeys: false,
  ignoresJoinFilters: false,
};
