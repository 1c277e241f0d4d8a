import type { Aggregation, Capabilities, DataType, Level } from "../protocol/index.ts";
import type { StatementRules } from "./checkStatement.ts";
import type { SqlColumn } from "./driver.ts";
import type { MatchPosition } from "./foldingClass.ts";
import type { Bound, Fragment } from "./fragment.ts";

/** The operators that compare the order of values. */
export type Comparison = "<" | "<=" | ">" | ">=";

/** A test that compares an expression with a value, or with a list of values without nulls. */
export interface ValueTest {
  readonly left: Fragment;
  readonly right: Bound;
  /** Logical type of both sides of the test. */
  readonly type: DataType;
  /** The column, if `left` is an unchanged column of the table. A native test of this column may use an index. */
  readonly column?: SqlColumn | undefined;
}

/** A comparison of an expression with a value. */
export interface ComparisonTest extends ValueTest {
  readonly operator: Comparison;
}

/** An aggregation to write in a statement. */
export interface AggregateCall {
  readonly aggregation: Aggregation;
  /** The value to aggregate. Absent for a `count` of rows. */
  readonly expression?: Fragment | undefined;
  /** Logical type of the value. */
  readonly type: DataType;
  /** The argument of `percentile`, from 0 to 1. */
  readonly fraction?: number | undefined;
  /** The weights of `weightedaverage`, or the other number of `corr`. */
  readonly second?: Fragment | undefined;
  /** Whether every group has rows. A statement without keys has a single group, even if there are no rows. */
  readonly isGrouped?: boolean;
}

/**
 * How one database writes the parts of a statement. Each function returns SQL with exactly the protocol's meaning, or
 * undefined if the database cannot express that meaning, so that the clause is not promised. The expressions that these
 * functions receive are results of `read`, or columns of an inner select that contain such results.
 *
 * `createDialect` supplies the defaults. `test/connectors/connectorSuite.ts` proves a dialect as a whole: random
 * queries over difficult values return the same cells as the store, hostile names and values change nothing, and the
 * conformance kit finds no fault. If a member has its own proof, its comment names that file.
 */
export interface Dialect {
  /** Name of the database in messages and tests. No default. */
  readonly name: string;
  /**
   * The maximum capabilities of this dialect's statements. Probes of a session and narrowed columns reduce them. Proof:
   * test/plugins/sql/createDialect.test.ts.
   * @default everything that the other members can write
   */
  readonly capabilities: Capabilities;
  /**
   * Whether strings of the database can contain the character U+0000. If not, values with this character are never
   * bound. No default. Proof: test/plugins/sql/compileTest.test.ts.
   */
  readonly holdsNul: boolean;
  /**
   * A native type for each logical type. The probes of a session cast their values to these types, so that the values
   * have the types of real columns.
   * @default {}, so probes use bound values as they are
   */
  readonly nativeTypes?: Readonly<Partial<Record<DataType, string>>>;
  /**
   * The functions that people's statements may call, and the schemas that they may not read. Proof:
   * test/plugins/sql/checkStatement.test.ts.
   * @default none, so only `parseStatement` checks statements
   */
  readonly statements?: StatementRules;
  /**
   * Quotes an identifier, which may contain any characters.
   * @default double quotes, with quotes inside doubled
   */
  quote(identifier: string): string;
  /**
   * Writes the placeholder of a parameter, given its position from 1. The placeholder includes a cast if the database
   * must know the type.
   * @default `?`
   */
  placeholder(position: number, bound: Bound): string;
  /**
   * Whether the same placeholder may occur repeatedly, so that a repeated value is bound only once.
   * @default false
   */
  readonly sharesParameters?: boolean;
  /**
   * Converts a bound value to the value that is passed to the driver.
   * @default the value, or the array of a list
   */
  driverValue(bound: Bound): unknown;
  /**
   * Writes the value of a column as its logical type. No default.
   *
   * - Text must compare by bytes.
   * - Numbers must exclude NaN and infinities, and be equal only if they are the same double.
   * - Datetimes must be truncated to the millisecond, not rounded.
   * - Values that the protocol cannot represent must become null.
   */
  read(column: SqlColumn, quoted: Fragment): Fragment;
  /**
   * Writes a number for sums and averages, if `read` would drop digits that affect a sum.
   * @default `read`
   */
  readWide?(column: SqlColumn, quoted: Fragment): Fragment;
  /**
   * Returns the kind of a native number type: `small` for numbers whose digits a double always preserves, `big` for
   * integers that may exceed 2^53, `wide` for decimals with more than 15 digits. Undefined for floating-point numbers
   * and for other types. With `small`, `big` and `wide`, `read` accepts the column as text, too.
   * @default none, so no number can be read as text
   */
  numberKind?(column: SqlColumn): "small" | "big" | "wide" | undefined;
  /**
   * Returns whether a datetime column contains readings of a clock, without a zone. `read` then returns the reading as
   * if the clock showed UTC, and the library converts it to an instant. Proof: test/plugins/sql/wallClock.test.ts.
   * @default none, so all datetimes are instants
   */
  isUnzoned?(column: SqlColumn): boolean;
  /**
   * Whether `read` itself converts the readings of a clock to instants, by `column.clock`.
   * @default false
   */
  readonly readsZone?: boolean;
  /**
   * Writes a cheaper form of `read`, which `cellOf` converts to the same value. It is used for plain rows that the
   * statement does not sort. Proof: test/plugins/sql/compileQuery.test.ts.
   * @default `read`
   */
  readPlain?(column: SqlColumn, quoted: Fragment): Fragment;
  /**
   * Writes an expression for the select list, in a form that `cellOf` converts without loss.
   * @default the expression itself
   */
  output(expression: Fragment, type: DataType): Fragment;
  /**
   * Like `output`, but for `SqlSession.batches`, which requires one particular native type for each logical type.
   * Proof: test/connectors/postgres/copyOut.test.ts.
   * @default none, so rows arrive as cells
   */
  typed?(expression: Fragment, type: DataType): Fragment;
  /**
   * Converts a cell from the driver to a number, a string, milliseconds since 1970-01-01T00:00:00Z, or null.
   * @default finite numbers and strings unchanged, null for anything else
   */
  cellOf(value: unknown, type: DataType): string | number | null;
  /**
   * Writes a test of whether both sides are equal. Text is compared by bytes.
   * @default `=`, after the test of `native`
   */
  equal(test: ValueTest): Fragment;
  /**
   * Writes a test of whether the value of an expression is in the list `right`.
   * @default `in`, after the test of `native`
   */
  isIn(test: ValueTest): Fragment;
  /**
   * Writes a comparison of an expression with a value. Text is compared by code point.
   * @default the operator, after the test of `native`
   */
  compare(test: ComparisonTest): Fragment;
  /**
   * Writes a native test of a datetime column for which the database can use an index. It must pass all instants from
   * `fromMs` up to but excluding `beforeMs`, and may pass others. An undefined end is unbounded.
   * @default none
   */
  within?(column: SqlColumn, fromMs: number | undefined, beforeMs: number | undefined): Fragment;
  /**
   * Writes a test of whether a string contains, begins with or ends with a pattern. The test compares by simple Unicode
   * case folding (`foldingClasses`) and has no wildcards. `foldingPattern` writes the pattern as a regular expression.
   * Proof: test/plugins/sql/foldingClass.test.ts.
   * @default undefined
   */
  matches(text: Fragment, pattern: string, position: MatchPosition): Fragment | undefined;
  /**
   * Writes the start, in UTC, of the period that contains an instant. Weeks start on Monday. If instants are doubles,
   * `periodStart` writes most levels.
   * @default undefined
   */
  truncate(instant: Fragment, level: Level): Fragment | undefined;
  /**
   * Writes an instant that is shifted by a number of milliseconds. The number may be negative, and never comes from a
   * user.
   * @default a sum, for instants in milliseconds
   */
  shift(instant: Fragment, offsetMs: number): Fragment;
  /**
   * Writes the start of the bin that contains a number, for a whole width and the origin 0.
   * @default the greatest multiple of the width that is not above the number
   */
  bin(number: Fragment, width: number): Fragment | undefined;
  /**
   * Writes one aggregation. An average is the sum as a double divided by the count as a double.
   * Proof: test/plugins/sql/createDialect.test.ts.
   * @default the functions of `createAggregates`
   */
  aggregate(call: AggregateCall): Fragment | undefined;
  /**
   * Writes a sort key that puts nulls last and compares text by code point.
   * @default `nulls last`
   */
  order(expression: Fragment, direction: "asc" | "desc", type: DataType): Fragment;
  /**
   * Writes the limit and the offset, which are non-negative integers. Proof: test/plugins/sql/createDialect.test.ts.
   * @default `limit … offset …`
   */
  limit(by: number, offset: number): Fragment;
  /**
   * Minimum number of rows of a large table. In a large table, it is faster to find the first rows by their first sort
   * key only, before the other columns are read.
   * @default none, for a database that does this itself
   */
  readonly largeRows?: number;
  /**
   * How the dialect writes joins between tables of one account.
   * @default none, so joins are not promised
   */
  readonly joins?: {
    /** The keywords of a left join. */
    readonly left: string;
    /** Writes the value of a column in a group of one row, in the column's own type. The value may be null. */
    only(column: Fragment): Fragment;
    /** Writes a test that makes the statement fail with PLUGIN_JOIN_AMBIGUOUS if a group has several rows. */
    refuseRepeated(rowCount: Fragment): Fragment;
  };
}
