import type { Capabilities, DataType, Level } from "../protocol/index.ts";
import type { StatementRules } from "./checkStatement.ts";
import type { SqlColumn } from "./driver.ts";
import type { Bound, Fragment } from "./fragment.ts";
import type { SqlAggregation } from "./sqlCapabilities.ts";

/** Signs of comparisons. */
export type Comparison = "<" | "<=" | ">" | ">=";

/**
 * How one database writes the parts of a statement. Each function returns SQL that has exactly the protocol's meaning,
 * or undefined where the database cannot: that clause is then not promised.
 * Expressions that come in have been through `read`, or are columns of an inner select with the result of `read`.
 */
export interface Dialect {
  /** For messages and tests. */
  readonly name: string;
  /** The most that statements of this dialect can do; probes of a session and columns narrow it. */
  readonly capabilities: Capabilities;
  /** Whether texts of the database can hold the character U+0000. */
  readonly holdsNul: boolean;
  /** A native type for each logical type: probes of a session read a value as a column of it. */
  readonly nativeTypes?: Readonly<Partial<Record<DataType, string>>>;
  /** Names that people's statements may use; without it only `parseStatement` judges them. */
  readonly statements?: StatementRules;
  /** Quotes an identifier, whatever characters it has. */
  quote(identifier: string): string;
  /** The placeholder of a parameter, counted from 1, with a cast where the database must know the type. */
  placeholder(position: number, bound: Bound): string;
  /** Whether a placeholder may occur several times, so that a value that occurs often is one parameter. */
  readonly sharesParameters?: boolean;
  /** Converts a bound value to the value that the driver takes. */
  driverValue(bound: Bound): unknown;
  /**
   * The value of a column as its logical type: text as it compares by bytes, number without NaN and infinities and
   * equal when it is the same double, datetime to the millisecond (cut, not rounded); null for what the protocol has
   * no value for.
   */
  read(column: SqlColumn, quoted: Fragment): Fragment;
  /** The number for sums and averages where `read` loses digits that a sum should have. */
  readWide?(column: SqlColumn, quoted: Fragment): Fragment;
  /**
   * Writes a cheaper form of `read`, which `cellOf` reads as the same value. For plain rows that the statement does not
   * sort.
   */
  readPlain?(column: SqlColumn, quoted: Fragment): Fragment;
  /** Writes an expression for the select list, in a form that `cellOf` reads without loss. */
  output(expression: Fragment, type: DataType): Fragment;
  /** Like `output`, for `SqlSession.batches`: in the native type in which it reads the logical one. */
  typed?(expression: Fragment, type: DataType): Fragment;
  /** Reads a cell of the driver: a number, a text, milliseconds since 1970, or null. */
  cellOf(value: unknown, type: DataType): string | number | null;
  /**
   * `left = right` by bytes. `column` is given where `left` is a column of the table: a native test of it in front,
   * which lets more pass, finds an index.
   */
  equal(left: Fragment, right: Bound, type: DataType, column?: SqlColumn): Fragment;
  /** Whether an expression is one of a list without nulls; `column` as in `equal`. */
  isIn(left: Fragment, list: Bound, type: DataType, column?: SqlColumn): Fragment;
  /** Compares an expression with a value: texts by code point; `column` as in `equal`. */
  compare(
    left: Fragment,
    operator: Comparison,
    right: Bound,
    type: DataType,
    column?: SqlColumn,
  ): Fragment;
  /**
   * A native test of a datetime column, for its index, that passes all instants from `fromMs` on and before `beforeMs`,
   * and maybe more.
   */
  within?(column: SqlColumn, fromMs: number | undefined, beforeMs: number | undefined): Fragment;
  /** Whether a text holds, begins or ends with a pattern; simple Unicode folding (`foldingClasses`), no wildcards. */
  matches(
    text: Fragment,
    pattern: string,
    place: "anywhere" | "start" | "end",
  ): Fragment | undefined;
  /** The start of the period of an instant on the clock of UTC; weeks from Monday. */
  truncate(instant: Fragment, level: Level): Fragment | undefined;
  /** The instant that many milliseconds later; negative for earlier. The number never comes from a user. */
  shift(instant: Fragment, offsetMs: number): Fragment;
  /** The start of the bin of a whole width from the origin 0. */
  bin(number: Fragment, width: number): Fragment | undefined;
  /**
   * One aggregation; `expression` is undefined for `count` of rows. `fraction` belongs to `percentile`, `weight` to
   * `weightedaverage`. An average is the sum as a double over the count as a double. `isGrouped`: every group has rows.
   */
  aggregate(
    aggregation: SqlAggregation,
    expression: Fragment | undefined,
    type: DataType,
    fraction?: number,
    weight?: Fragment,
    isGrouped?: boolean,
  ): Fragment | undefined;
  /** The keys of an order with nulls last and texts by code point. */
  order(expression: Fragment, direction: "asc" | "desc", type: DataType): Fragment;
  limit(by: number, offset: number): Fragment;
  /**
   * Rows of a table from which the first rows of an order are found by their first key before other columns are read;
   * absent where a database does that itself.
   */
  readonly largeRows?: number;
  /** How tables of one account are joined; without it joins are not offered. */
  readonly joins?: {
    /** The words of a left join. */
    readonly left: string;
    /** The value of a column in a group of one row, null included, in the column's own type. */
    only(column: Fragment): Fragment;
    /** A test of a group that fails the statement, as PLUGIN_JOIN_AMBIGUOUS, when it has several rows. */
    refuseRepeated(rowCount: Fragment): Fragment;
  };
}
