import type { Aggregation, Capabilities, DataType, Level } from "../protocol/index.ts";
import type { StatementRules } from "./checkStatement.ts";
import type { SqlColumn } from "./driver.ts";
import type { MatchPosition } from "./foldingClass.ts";
import type { Bound, Fragment } from "./fragment.ts";

/** The comparison operators. */
export type Comparison = "<" | "<=" | ">" | ">=";

/** A test of an expression against a value, or against a list of values without nulls. */
export interface ValueTest {
  readonly left: Fragment;
  readonly right: Bound;
  /** Logical type of both sides. */
  readonly type: DataType;
  /** The column, if `left` is an unchanged column of the table. A native test of it may then use an index. */
  readonly column?: SqlColumn | undefined;
}

/** A comparison of an expression with a value. */
export interface ComparisonTest extends ValueTest {
  readonly operator: Comparison;
}

/** One aggregation of a statement. */
export interface AggregateCall {
  readonly aggregation: Aggregation;
  /** The value to aggregate. Absent for a `count` of rows. */
  readonly expression?: Fragment | undefined;
  /** Logical type of the value. */
  readonly type: DataType;
  /** The argument of `percentile`, from 0 to 1. */
  readonly fraction?: number | undefined;
  /** The argument of `weightedaverage`. */
  readonly weight?: Fragment | undefined;
  /** Whether every group has rows. A statement without keys has one group even over no rows. */
  readonly isGrouped?: boolean;
}

/**
 * How one database writes the parts of a statement. Each function returns SQL with exactly the protocol's meaning, or
 * undefined if the database cannot express it; the clause is then not promised. The expressions that it receives were
 * written by `read`, or are columns of an inner select with the result of `read`.
 *
 * `createDialect` supplies the defaults. `test/connectors/connectorSuite.ts` proves a dialect as a whole: random
 * queries over awkward values return the same cells as the store, hostile names and values change nothing, and the
 * conformance kit finds no fault. A member with its own proof names that file.
 */
export interface Dialect {
  /** Name of the database in messages and tests. No default. */
  readonly name: string;
  /**
   * The most that this dialect's statements can do. Probes of a session and narrowed columns reduce it.
   * Proof: test/plugins/sql/createDialect.test.ts.
   * @default everything that the other members can write
   */
  readonly capabilities: Capabilities;
  /**
   * Whether strings of the database can contain the character U+0000. If not, it is never bound. No default.
   * Proof: test/plugins/sql/compileTest.test.ts.
   */
  readonly holdsNul: boolean;
  /**
   * A native type per logical type. The probes of a session then read their values as columns of these types.
   * @default {}, so probes use bound values as they are
   */
  readonly nativeTypes?: Readonly<Partial<Record<DataType, string>>>;
  /**
   * The functions and schemas that people's statements may use.
   * Proof: test/plugins/sql/checkStatement.test.ts.
   * @default none, so only `parseStatement` checks statements
   */
  readonly statements?: StatementRules;
  /**
   * Quotes an identifier, which may contain any characters.
   * @default double quotes, with quotes inside doubled
   */
  quote(identifier: string): string;
  /**
   * Writes the placeholder of a parameter, counted from 1, with a cast if the database must know the type.
   * @default `?`
   */
  placeholder(position: number, bound: Bound): string;
  /**
   * Whether the same placeholder may occur repeatedly, so that a repeated value is bound only once.
   * @default false
   */
  readonly sharesParameters?: boolean;
  /**
   * Converts a bound value to the value for the driver.
   * @default the value, or the array of a list
   */
  driverValue(bound: Bound): unknown;
  /**
   * Writes the value of a column as its logical type. No default.
   *
   * - Text compares by bytes.
   * - Numbers exclude NaN and infinities, and are equal only if they are the same double.
   * - Datetimes are truncated to the millisecond, not rounded.
   * - Values that the protocol cannot represent become null.
   */
  read(column: SqlColumn, quoted: Fragment): Fragment;
  /**
   * Writes a number for sums and averages, if `read` loses digits that matter in a sum.
   * @default `read`
   */
  readWide?(column: SqlColumn, quoted: Fragment): Fragment;
  /**
   * Writes a cheaper form of `read` that `cellOf` converts to the same value. Used for plain rows that the statement
   * does not sort. Proof: test/plugins/sql/compileQuery.test.ts.
   * @default `read`
   */
  readPlain?(column: SqlColumn, quoted: Fragment): Fragment;
  /**
   * Writes an expression for the select list, in a form that `cellOf` reads without loss.
   * @default the expression itself
   */
  output(expression: Fragment, type: DataType): Fragment;
  /**
   * Like `output`, but for `SqlSession.batches`, which reads each logical type as one particular native type.
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
   * Writes `left = right`, with text compared by bytes.
   * @default `=`, after the test of `native`
   */
  equal(test: ValueTest): Fragment;
  /**
   * Writes a test whether an expression is in the list `right`.
   * @default `in`, after the test of `native`
   */
  isIn(test: ValueTest): Fragment;
  /**
   * Compares an expression with a value, text by code point.
   * @default the operator, after the test of `native`
   */
  compare(test: ComparisonTest): Fragment;
  /**
   * Writes a native test of a datetime column that can use its index. It must pass all instants from `fromMs` to before
   * `beforeMs`, and may pass others. An undefined end is open.
   * @default none
   */
  within?(column: SqlColumn, fromMs: number | undefined, beforeMs: number | undefined): Fragment;
  /**
   * Writes a test whether a string contains, begins with or ends with a pattern. It compares by simple Unicode case
   * folding (`foldingClasses`) and has no wildcards. `foldingPattern` writes the pattern as a regular expression.
   * Proof: test/plugins/sql/foldingClass.test.ts.
   * @default undefined
   */
  matches(text: Fragment, pattern: string, position: MatchPosition): Fragment | undefined;
  /**
   * Writes the start, in UTC, of the period of an instant. Weeks start on Monday. If instants are doubles,
   * `periodStart` writes most levels.
   * @default undefined
   */
  truncate(instant: Fragment, level: Level): Fragment | undefined;
  /**
   * Writes an instant moved by a number of milliseconds, which may be negative and never comes from a user.
   * @default a sum, for instants in milliseconds
   */
  shift(instant: Fragment, offsetMs: number): Fragment;
  /**
   * Writes the start of a number's bin, for a whole width and the origin 0.
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
   * Writes a sort key with nulls last and text by code point.
   * @default `nulls last`
   */
  order(expression: Fragment, direction: "asc" | "desc", type: DataType): Fragment;
  /**
   * Writes limit and offset, both whole numbers from 0.
   * Proof: test/plugins/sql/createDialect.test.ts.
   * @default `limit … offset …`
   */
  limit(by: number, offset: number): Fragment;
  /**
   * Number of rows from which it pays to find the first rows of an order by their first key, before reading the other
   * columns.
   * @default none, for a database that does this itself
   */
  readonly largeRows?: number;
  /**
   * How tables of one account are joined.
   * @default none, so joins are not promised
   */
  readonly joins?: {
    /** The keywords of a left join. */
    readonly left: string;
    /** Writes the value of a column in a group of one row, null included, in the column's own type. */
    only(column: Fragment): Fragment;
    /** Writes a test that makes the statement fail with PLUGIN_JOIN_AMBIGUOUS if the group has several rows. */
    refuseRepeated(rowCount: Fragment): Fragment;
  };
}
