import type {
  Aggregation,
  Bin,
  Cell,
  Level,
  Operator,
  OperatorWith,
  Tree,
} from "../../plugins/protocol/index.ts";

/** Bins as requested: fixed, or a number of bins over the values in the query's rows. */
export type Bins = Bin | { readonly count: number };

/** A reference to a column as the caller wrote it, with unresolved ids. `path` is its position in the request. */
export interface Reference {
  readonly path: string;
  /** The id of the dataset. Absent only with `column_id: "*"`. */
  readonly datasetId: string | undefined;
  readonly columnId: string;
  readonly level: Level | undefined;
  readonly aggregation: Aggregation | undefined;
  /**
   * The source text of an inline derived column. `columnId` is then the caller's name for it, or the source text
   * itself.
   */
  readonly expression?: string;
  /**
   * The source text of a formula. For a stored formula, its id until the source text is found. `columnId` has the same
   * value.
   */
  readonly formula?: string;
  readonly formulaId?: string;
  /** Present if the formula is stored, so that the caller did not write its source text. */
  readonly isStored?: true;
  readonly bins?: Bins;
  /** For a dimension: adds groups for values that occur in no row of the query. */
  readonly isComplete?: true;
  /** The fraction of a percentile, from 0 to 1. */
  readonly fraction?: number;
  /** The column of the weights of a weighted average. */
  readonly weight?: Reference;
}

/** A test whose value has a valid shape. `resolve` checks it against the column's type. */
export interface Test {
  readonly path: string;
  /** The path of the value. Absent if the value is the second element of `parameters`. */
  readonly valuePath?: string;
  readonly reference: Reference;
  readonly operator: Operator | "between";
  /** The values of the test; absent for null tests. A scalar is a list of one cell, and `between` has two cells. */
  readonly value: readonly Cell[] | undefined;
}

/** Tests of a datetime relative to now or, for `last_available`, to the column's last value. */
export const relativeWords = [
  "last_now",
  "last_available",
  "next_now",
  "ago",
  "more_than_ago",
  "or_more_ago",
  "last_completed",
  "next_full",
  "to_date",
] as const;

export type RelativeWord = (typeof relativeWords)[number];

/** A test of a datetime relative to now, or to the column's last value. */
export interface RelativeTest {
  readonly path: string;
  readonly valuePath?: string;
  readonly reference: Reference;
  readonly relative: RelativeWord;
  readonly unit: Level;
  /** A non-negative number of units. */
  readonly quantity: number;
  /** For `last_available`: the last value in milliseconds, once it is known; NaN if the column has no value. */
  readonly lastMs?: number;
}

/** A side of a test: a column, or a value with its path. */
export type Operand =
  | { readonly reference: Reference }
  | { readonly cell: Cell; readonly path: string };

/** The operators that can compare columns: all operators that take a value. */
export type ColumnOperator = Exclude<Operator, OperatorWith<"values", "none">> | "between";

/** A test with several columns, or with a value and columns. The first operand precedes the operator. */
export interface ColumnTest {
  readonly path: string;
  readonly operator: ColumnOperator;
  /** The operands, at least one of which is a column. */
  readonly operands: readonly Operand[];
}

export type ConditionLeaf = Test | RelativeTest | ColumnTest;

/** Tests combined by AND and OR. */
export type Condition = Tree<ConditionLeaf>;

export interface OrderItem {
  readonly reference: Reference;
  readonly order: "asc" | "desc";
}

export interface Page {
  readonly by: number;
  readonly offset: number;
}

/**
 * How the datasets of a query are joined, by id. Each row of the root matches at most one row of every other dataset.
 */
export interface JoinTree {
  readonly rootId: string;
  /** The joins in order. Each step starts from the root or from a dataset that an earlier step joined. */
  readonly steps: readonly JoinStep[];
}

export interface JoinStep {
  readonly fromId: string;
  readonly fromColumnId: string;
  readonly datasetId: string;
  /** The joined column. In its dataset, no value except null is repeated in this column. */
  readonly columnId: string;
}

/**
 * A data query after `parse`: its shape is checked, but no ids are looked up. Lists of conditions are combined with
 * AND.
 */
export interface ParsedQuery {
  readonly path: string;
  readonly dimensions: readonly Reference[];
  readonly measures: readonly Reference[];
  readonly where: readonly Condition[];
  readonly having: readonly Condition[];
  readonly order: readonly OrderItem[];
  /** The page that `options.paging` selects within `limit`. */
  readonly limit: Page | undefined;
  /** False for plain rows, which ignore aggregations. */
  readonly rollup: boolean;
  /** A canonical IANA name; undefined means UTC. */
  readonly timezoneId: string | undefined;
  /** A canonical BCP 47 tag. Strings are sorted by the rules of this language. */
  readonly localeId?: string;
  /** Present if `options.cells` is `plain`: string cells are plain strings. */
  readonly isPlain?: true;
  /** Maximum age in milliseconds of a copy's rows, or of a cached answer of a live source. */
  readonly maxAgeMs?: number;
  /** How the datasets are joined. Absent before `joinDatasets`, and for a single dataset. */
  readonly tree?: JoinTree;
}
