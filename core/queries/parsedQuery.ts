import type {
  Aggregation,
  Bin,
  Cell,
  Level,
  Operator,
  Tree,
} from "../../plugins/protocol/index.ts";

/** Bins as they are asked: fixed, or so many over the values that the query's rows hold. */
export type Bins = Bin | { readonly count: number };

/** A mention of a column as the caller wrote it, its ids unresolved. `path` is where it stands in the request. */
export interface Reference {
  readonly path: string;
  /** Absent only with `column_id: "*"`. */
  readonly datasetId: string | undefined;
  readonly columnId: string;
  readonly level: Level | undefined;
  readonly aggregation: Aggregation | undefined;
  /** The text of a derived column that is made in place. `columnId` is then what the caller calls it, or that text. */
  readonly expression?: string;
  /** The text of a formula, or of a stored one its id until the text is found. `columnId` is then either of them. */
  readonly formula?: string;
  readonly formulaId?: string;
  /** The text of the formula is not the caller's. */
  readonly isStored?: true;
  readonly bins?: Bins;
  /** Of a dimension: rows also for the values that no row of the query holds. */
  readonly isComplete?: true;
  /** Of a percentile, from 0 to 1. */
  readonly fraction?: number;
  /** Of a weighted average: the column of the weights. */
  readonly weight?: Reference;
}

/** A test whose value is checked for shape; whether it suits the column is known after `resolve`. */
export interface Test {
  readonly path: string;
  /** Where the value stands, unless it is the second of `parameters`. */
  readonly valuePath?: string;
  readonly reference: Reference;
  readonly operator: Operator | "between";
  /** Absent for null tests; one cell for scalars, two for `between`. */
  readonly value: readonly Cell[] | undefined;
}

/** Tests of a datetime that are relative to the clock or, `last_available`, to the last value. */
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

/** A test of a datetime against the clock, or against the last value that there is. */
export interface RelativeTest {
  readonly path: string;
  readonly valuePath?: string;
  readonly reference: Reference;
  readonly relative: RelativeWord;
  readonly unit: Level;
  /** At least 0. */
  readonly quantity: number;
  /** Of `last_available`, once it is known: the last value, in milliseconds; NaN when there is none. */
  readonly lastMs?: number;
}

/** What a test compares: a column, or a value with its path. */
export type Operand =
  | { readonly reference: Reference }
  | { readonly cell: Cell; readonly path: string };

/** The operators of tests of several columns: those that take a value. */
export type ColumnOperator = Exclude<Operator, "is null" | "is not null"> | "between";

/** A test of several columns, or of a value and columns. The first operand is the one before the operator. */
export interface ColumnTest {
  readonly path: string;
  readonly operator: ColumnOperator;
  /** One of them at least is a column. */
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

/** How the datasets of a query are joined, by their ids: each row of the root meets at most one row of every other. */
export interface JoinTree {
  readonly rootId: string;
  /** In order: each starts from the root or from what was joined before. */
  readonly steps: readonly JoinStep[];
}

export interface JoinStep {
  readonly fromId: string;
  readonly fromColumnId: string;
  readonly datasetId: string;
  /** Unique in its dataset, null aside. */
  readonly columnId: string;
}

/** One data query after `parse`: the shape is checked, nothing is looked up. Lists of conditions are ANDed. */
export interface ParsedQuery {
  readonly path: string;
  readonly dimensions: readonly Reference[];
  readonly measures: readonly Reference[];
  readonly where: readonly Condition[];
  readonly having: readonly Condition[];
  readonly order: readonly OrderItem[];
  /** `limit` and, inside it, `options.paging`. */
  readonly limit: Page | undefined;
  /** false: raw rows, aggregations do not count. */
  readonly rollup: boolean;
  /** A canonical IANA name; undefined is UTC. */
  readonly timezoneId: string | undefined;
  /** A canonical BCP 47 tag: texts come in the order of that language. */
  readonly localeId?: string;
  /** `options.cells` is `plain`: cells of texts are texts. */
  readonly isPlain?: true;
  /** Of several datasets, once it is known. */
  readonly tree?: JoinTree;
}
