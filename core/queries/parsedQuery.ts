import type {
  Aggregation,
  Bin,
  Cell,
  Level,
  Operator,
  OperatorWith,
  Tree,
} from "../../plugins/protocol/index.ts";

/** Bins as requested: fixed, or a number of bins over the values of the query's rows. */
export type Bins = Bin | { readonly count: number };

/**
 * A mention of a column as the caller wrote it, its ids unresolved. `path` is its place in the
 * request.
 */
export interface Reference {
  readonly path: string;
  /** Absent only with `column_id: "*"`. */
  readonly datasetId: string | undefined;
  readonly columnId: string;
  readonly level: Level | undefined;
  readonly aggregation: Aggregation | undefined;
  /**
   * The text of a derived column in place. `columnId` is then the caller's name for it, or that
   * text.
   */
  readonly expression?: string;
  /**
   * The text of a formula; of a stored one, its id until the text is found. `columnId` is then
   * either of them.
   */
  readonly formula?: string;
  readonly formulaId?: string;
  /** The formula is stored, so its text is not the caller's. */
  readonly isStored?: true;
  readonly bins?: Bins;
  /** For a dimension: adds rows for the values that no row of the query holds. */
  readonly isComplete?: true;
  /** The fraction of a percentile, from 0 to 1. */
  readonly fraction?: number;
  /** The column of the weights of a weighted average. */
  readonly weight?: Reference;
}

/** A test whose value has a valid shape; `resolve` checks it against the column's type. */
export interface Test {
  readonly path: string;
  /** The path of the value, unless it is the second of `parameters`. */
  readonly valuePath?: string;
  readonly reference: Reference;
  readonly operator: Operator | "between";
  /** Absent for null tests; one cell for scalars, two for `between`. */
  readonly value: readonly Cell[] | undefined;
}

/** Tests of a datetime relative to now or, for `last_available`, to the last value. */
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
  /** At least 0. */
  readonly quantity: number;
  /**
   * The last value for `last_available`, once it is known, in milliseconds; NaN when there is none.
   */
  readonly lastMs?: number;
}

/** A side of a test: a column, or a value with its path. */
export type Operand =
  | { readonly reference: Reference }
  | { readonly cell: Cell; readonly path: string };

/** The operators that compare columns with each other: all operators that take a value. */
export type ColumnOperator = Exclude<Operator, OperatorWith<"values", "none">> | "between";

/**
 * A test of several columns, or of a value and columns. The first operand is the one before the
 * operator.
 */
export interface ColumnTest {
  readonly path: string;
  readonly operator: ColumnOperator;
  /** At least one is a column. */
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
 * How the datasets of a query are joined, by id. Each row of the root matches at most one row of
 * every other.
 */
export interface JoinTree {
  readonly rootId: string;
  /** In order: each starts from the root or from a dataset joined before. */
  readonly steps: readonly JoinStep[];
}

export interface JoinStep {
  readonly fromId: string;
  readonly fromColumnId: string;
  readonly datasetId: string;
  /** No value of the column appears twice in its dataset; null may. */
  readonly columnId: string;
}

/**
 * A data query after `parse`: its shape is checked, nothing is looked up. Lists of conditions are
 * ANDed.
 */
export interface ParsedQuery {
  readonly path: string;
  readonly dimensions: readonly Reference[];
  readonly measures: readonly Reference[];
  readonly where: readonly Condition[];
  readonly having: readonly Condition[];
  readonly order: readonly OrderItem[];
  /** `limit` and, inside it, `options.paging`. */
  readonly limit: Page | undefined;
  /** False for raw rows, which ignore aggregations. */
  readonly rollup: boolean;
  /** A canonical IANA name; undefined is UTC. */
  readonly timezoneId: string | undefined;
  /** A canonical BCP 47 tag: texts are sorted in the order of that language. */
  readonly localeId?: string;
  /** `options.cells` is `plain`: cells of texts are texts. */
  readonly isPlain?: true;
  /** How old rows of a copy, or an answer of a live source from memory, may be at most. */
  readonly maxAgeMs?: number;
  /** How several datasets are joined, once that is known. */
  readonly tree?: JoinTree;
}
