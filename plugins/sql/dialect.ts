import type { Aggregation, Capabilities, DataType, Level } from "../protocol/index.ts";
import type { SqlColumn } from "./driver.ts";
import type { Bound, Fragment } from "./fragment.ts";

/** A zone's clock over a range of time: from `fromMs` on (absent = since ever) it is `offsetMs` ahead of UTC. */
export interface OffsetSpan {
  readonly fromMs?: number;
  readonly offsetMs: number;
}

/**
 * How one database writes the parts of a statement. Each function returns SQL that has exactly the protocol's meaning,
 * or undefined where the database cannot: that clause is then not promised.
 * Expressions that come in have been through `read`.
 */
export interface Dialect {
  /** For messages and tests. */
  readonly name: string;
  /** The most that statements of this dialect can do; probes of a session and columns narrow it. */
  readonly capabilities: Capabilities;
  /** Quotes an identifier, whatever characters it has. */
  quote(identifier: string): string;
  /** The placeholder of a parameter, counted from 1, with a cast where the database must know the type. */
  placeholder(position: number, bound: Bound): string;
  /** Converts a bound value to the value that the driver takes. */
  driverValue(bound: Bound): unknown;
  /**
   * The value of a column as its logical type: text as it compares by bytes, number without NaN and infinities,
   * datetime to the millisecond (cut, not rounded); null for what the protocol has no value for.
   */
  read(column: SqlColumn, quoted: Fragment): Fragment;
  /** Writes an expression for the select list, in a form that `cellOf` reads without loss. */
  output(expression: Fragment, type: DataType): Fragment;
  /** Reads a cell of the driver: a number, a text, milliseconds since 1970, or null. */
  cellOf(value: unknown, type: DataType): string | number | null;
  /** `left = right` by bytes, for an index where `column` has one: a native test first that lets more pass. */
  equal(left: Fragment, right: Fragment, type: DataType, column?: SqlColumn): Fragment;
  /** Whether an expression is one of a list without nulls. */
  isIn(left: Fragment, list: Bound, column?: SqlColumn): Fragment;
  /** Compares two expressions of one type: texts by code point. */
  compare(
    left: Fragment,
    operator: "<" | "<=" | ">" | ">=",
    right: Fragment,
    type: DataType,
  ): Fragment;
  /** Whether a text holds, begins or ends with a pattern; simple Unicode folding, no wildcards. */
  matches(
    text: Fragment,
    pattern: string,
    place: "anywhere" | "start" | "end",
  ): Fragment | undefined;
  /** The start of the period of an instant, as an instant, on a clock that `spans` describe in ascending order. */
  truncate(instant: Fragment, level: Level, spans: readonly OffsetSpan[]): Fragment | undefined;
  /** The start of the bin of a whole width from the origin 0. */
  bin(number: Fragment, width: number): Fragment | undefined;
  /** One aggregation; `average` is asked as sum and count. `fraction` belongs to `percentile`. */
  aggregate(
    aggregation: Aggregation,
    expression: Fragment | undefined,
    type: DataType,
    fraction?: number,
  ): Fragment | undefined;
  /** The keys of an order with nulls last and texts by code point. */
  order(expression: Fragment, direction: "asc" | "desc", type: DataType): Fragment;
  limit(by: number, offset: number): Fragment;
}
