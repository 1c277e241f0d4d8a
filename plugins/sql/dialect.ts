import type { Aggregation, Capabilities, DataType, Level } from "../protocol/index.ts";
import type { StatementRules } from "./checkStatement.ts";
import type { SqlColumn } from "./driver.ts";
import type { Place } from "./foldingClass.ts";
import type { Bound, Fragment } from "./fragment.ts";

/** Signs of comparisons. */
export type Comparison = "<" | "<=" | ">" | ">=";

/** A test of an expression with a value, or with a list of values without nulls. */
export interface ValueTest {
  readonly left: Fragment;
  readonly right: Bound;
  readonly type: DataType;
  /** Present where `left` is a column of the table: a native test of it in front may find an index. */
  readonly column?: SqlColumn | undefined;
}

/** A comparison of an expression with a value. */
export interface ComparisonTest extends ValueTest {
  readonly operator: Comparison;
}

/** One aggregation of a statement. */
export interface AggregateCall {
  readonly aggregation: Aggregation;
  /** Absent for `count` of rows. */
  readonly expression?: Fragment | undefined;
  readonly type: DataType;
  /** The argument of `percentile`. */
  readonly fraction?: number | undefined;
  /** The argument of `weightedaverage`. */
  readonly weight?: Fragment | undefined;
  /** Whether every group has rows. */
  readonly isGrouped?: boolean;
}

/**
 * How one database writes the parts of a statement. Each function returns SQL that has exactly the protocol's meaning,
 * or undefined where the database cannot: that clause is then not promised. Expressions that come in have been through
 * `read`, or are columns of an inner select with the result of `read`.
 *
 * `createDialect` writes each member that has a default. `test/connectors/connectorSuite.ts` proves a dialect as a
 * whole: random queries over awkward values get the cells of the store, hostile names and values change nothing, and
 * the conformance kit finds nothing wrong. A member with a proof of its own names that file.
 */
export interface Dialect {
  /** Names the database in messages and tests. No default. */
  readonly name: string;
  /**
   * The most that statements of this dialect can do; probes of a session and columns narrow it. Default: everything
   * that the other members write. Proof: test/plugins/sql/createDialect.test.ts.
   */
  readonly capabilities: Capabilities;
  /**
   * Whether strings of the database can contain the character U+0000. Where they cannot, it is never bound. No default.
   * Proof: test/plugins/sql/compileTest.test.ts.
   */
  readonly holdsNul: boolean;
  /**
   * A native type for each logical type: probes of a session read a value as a column of it. Default: none, so probes
   * test bound values as they are.
   */
  readonly nativeTypes?: Readonly<Partial<Record<DataType, string>>>;
  /**
   * Names that people's statements may use. Default: none, so only `parseStatement` judges them. Proof:
   * test/plugins/sql/checkStatement.test.ts.
   */
  readonly statements?: StatementRules;
  /** Quotes an identifier, whatever characters it has. Default: double quotes, and a quote inside is doubled. */
  quote(identifier: string): string;
  /**
   * Writes the placeholder of a parameter, counted from 1, with a cast where the database must know the type.
   * Default: `?`.
   */
  placeholder(position: number, bound: Bound): string;
  /**
   * Whether a placeholder may occur several times, so that a value that occurs often is one parameter. Default: no.
   */
  readonly sharesParameters?: boolean;
  /** Converts a bound value to the value that the driver takes. Default: the value, or the array of a list. */
  driverValue(bound: Bound): unknown;
  /**
   * Writes the value of a column as its logical type: text as it compares by bytes, number without NaN and infinities
   * and equal when it is the same double, datetime to the millisecond (cut, not rounded); null for what the protocol
   * has no value for. No default.
   */
  read(column: SqlColumn, quoted: Fragment): Fragment;
  /** Writes the number for sums and averages where `read` loses digits that a sum should have. Default: `read`. */
  readWide?(column: SqlColumn, quoted: Fragment): Fragment;
  /**
   * Writes a cheaper form of `read`, which `cellOf` reads as the same value. For plain rows that the statement does not
   * sort. Default: `read`. Proof: test/plugins/sql/compileQuery.test.ts.
   */
  readPlain?(column: SqlColumn, quoted: Fragment): Fragment;
  /**
   * Writes an expression for the select list, in a form that `cellOf` reads without loss. Default: the expression
   * itself.
   */
  output(expression: Fragment, type: DataType): Fragment;
  /**
   * Like `output`, for `SqlSession.batches`: in the native type in which it reads the logical one. Default: none, so
   * rows come as cells. Proof: test/connectors/postgres/copyOut.test.ts.
   */
  typed?(expression: Fragment, type: DataType): Fragment;
  /**
   * Reads a cell of the driver: a number, a string, milliseconds since 1970, or null. Default: finite numbers and
   * strings as they are, null for anything else.
   */
  cellOf(value: unknown, type: DataType): string | number | null;
  /** Writes `left = right` by bytes. Default: `=`, with the test of `native` in front. */
  equal(test: ValueTest): Fragment;
  /** Writes whether an expression is one of the list `right`. Default: `in`, with the test of `native` in front. */
  isIn(test: ValueTest): Fragment;
  /**
   * Compares an expression with a value, strings by code point. Default: the operator, with the test of `native` in
   * front.
   */
  compare(test: ComparisonTest): Fragment;
  /**
   * Writes a native test of a datetime column, for its index, that passes all instants from `fromMs` on and before
   * `beforeMs`, and maybe more. Default: none.
   */
  within?(column: SqlColumn, fromMs: number | undefined, beforeMs: number | undefined): Fragment;
  /**
   * Writes whether a string contains, begins or ends with a pattern; simple Unicode folding (`foldingClasses`), no
   * wildcards. Default: undefined; `foldingPattern` writes a regular expression. Proof:
   * test/plugins/sql/foldingClass.test.ts.
   */
  matches(text: Fragment, pattern: string, place: Place): Fragment | undefined;
  /**
   * Writes the start of the period of an instant on the clock of UTC; weeks begin on Monday. Default: undefined;
   * `periodStart` writes most levels where instants are doubles.
   */
  truncate(instant: Fragment, level: Level): Fragment | undefined;
  /**
   * Writes the instant that many milliseconds later; negative for earlier. The number never comes from a user. Default:
   * a sum, where instants are milliseconds.
   */
  shift(instant: Fragment, offsetMs: number): Fragment;
  /** Writes the start of the bin of a whole width from the origin 0. Default: the greatest multiple not above. */
  bin(number: Fragment, width: number): Fragment | undefined;
  /**
   * Writes one aggregation. An average is the sum as a double over the count as a double. Default: the functions of
   * `createAggregates`. Proof: test/plugins/sql/createDialect.test.ts.
   */
  aggregate(call: AggregateCall): Fragment | undefined;
  /** Writes a key of an order with nulls last and strings by code point. Default: `nulls last`. */
  order(expression: Fragment, direction: "asc" | "desc", type: DataType): Fragment;
  /** Writes a limit of rows. Default: `limit … offset …`. Proof: test/plugins/sql/createDialect.test.ts. */
  limit(by: number, offset: number): Fragment;
  /**
   * Rows of a table from which the first rows of an order are found by their first key before other columns are read.
   * Default: none, for a database that does that itself.
   */
  readonly largeRows?: number;
  /** How tables of one account are joined. Default: joins are not offered. */
  readonly joins?: {
    /** The words of a left join. */
    readonly left: string;
    /** Writes the value of a column in a group of one row, null included, in the column's own type. */
    only(column: Fragment): Fragment;
    /** Writes a test of a group that fails the statement, as PLUGIN_JOIN_AMBIGUOUS, when it has several rows. */
    refuseRepeated(rowCount: Fragment): Fragment;
  };
}
