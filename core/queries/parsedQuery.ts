import type {
  Aggregation,
  Bin,
  Cell,
  Level,
  Operator,
  OperatorWith,
  Tree,
} from "../../plugins/protocol/index.ts";
import type { CalculationType, ComparisonType } from "./calculationTypes.ts";

/** Bins as requested: fixed, or a number of bins over the values in the query's rows. */
export type Bins = Bin | { readonly count: number };

/** A reference to a column as the caller wrote it, with unresolved ids. `path` is its position in the request. */
export interface Reference {
  readonly path: string;
  /** The id of the dataset; for a dataset in a role, see `roleId`. Absent only with `column_id: "*"`. */
  readonly datasetId: string | undefined;
  /** The linked column through which the query reaches the dataset, as the caller wrote it. */
  readonly via?: string;
  readonly columnId: string;
  readonly level: Level | undefined;
  readonly aggregation: Aggregation | undefined;
  /**
   * The source text of an inline derived column. `columnId` is then the caller's name for it, or the source text
   * itself.
   */
  readonly expression?: string;
  /**
   * The source text of a formula. For a stored formula, this is the id until `findFormulas` replaces it with the source
   * text. `columnId` has the same value.
   */
  readonly formula?: string;
  readonly formulaId?: string;
  /** Whether the formula is stored, so that its source text was not written by the caller. */
  readonly isStored?: true;
  readonly bins?: Bins;
  /** Whether the dimension also has groups for values that occur in no row of the query. */
  readonly isComplete?: true;
  /** The fraction of a percentile, from 0 to 1. */
  readonly fraction?: number;
  /** The dimensions for each combination of whose values a cumulative sum starts again. */
  readonly per?: readonly Reference[];
  /** The second column of the aggregation: the weights of a weighted average, or the other column of a correlation. */
  readonly second?: Reference;
  /** How the host computes the measure from the aggregated values of all groups. */
  readonly calculation?: ParsedCalculation;
  /** Moves the datetimes of the column. Only in the query that a comparison with the past runs. */
  readonly shift?: Shift;
}

/** A number of periods by which datetimes are moved forward. */
export interface Shift {
  readonly unit: Level;
  readonly count: number;
  /** The instant of the call in milliseconds, if moved datetimes after it are left out. */
  readonly untilMs?: number;
}

/** The members of a calculation other than its type. */
export type CalculationMember =
  | "dataset_id"
  | "via"
  | "column_id"
  | "level"
  | "quantity"
  | "period_to_date"
  | "per"
  | "order";

/** A calculation over the groups of a query, as the caller wrote it. */
export type ParsedCalculation =
  | {
      readonly path: string;
      readonly type: ComparisonType;
      /** The members that the caller wrote. All others have their defaults. */
      readonly named: readonly CalculationMember[];
      /** The datetime column that is moved. Absent: the only datetime dimension. */
      readonly reference?: Reference;
      /** The unit of the move; `period` stands for the length of the filtered range. */
      readonly unit: Level | "period";
      readonly quantity: number;
      /** Whether the past ends as long after its start as now is after the start of the present. */
      readonly isToDate: boolean;
    }
  | {
      readonly path: string;
      readonly type: Exclude<CalculationType, ComparisonType>;
      /** The members that the caller wrote. All others have their defaults. */
      readonly named: readonly CalculationMember[];
      /** The dimensions for each combination of whose values the calculation starts again. */
      readonly per: readonly Reference[];
      readonly isAscending: boolean;
    };

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

/** The words of tests that compare a datetime with now or, for `last_available`, with the column's last value. */
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

/** A tree of tests that are combined by AND and OR. */
export type Condition = Tree<ConditionLeaf>;

export interface OrderItem {
  readonly reference: Reference;
  readonly order: "asc" | "desc";
}

export interface Page {
  readonly by: number;
  readonly offset: number;
}

/** A page of the rows that are equal in some columns of the answer, for each combination of their values. */
export interface GroupPage extends Page {
  /** The columns that divide the rows: at least one dimension or, in a query for plain rows, at least one column. */
  readonly per: readonly Reference[];
}

/**
 * How the datasets of a query are joined, by id. Each row of the root matches at most one row of every other dataset,
 * unless the tree has no finest dataset (`rootless`).
 */
export interface JoinTree {
  readonly rootId: string;
  /**
   * Why no dataset has the finest rows, as the end of a sentence about the query. Such a query can only be answered one
   * dataset's measures at a time. Absent for a tree whose root has the finest rows.
   */
  readonly rootless?: string;
  /** The joins in order. Each step starts from the root or from a dataset that an earlier step joined. */
  readonly steps: readonly JoinStep[];
}

export interface JoinStep {
  readonly fromId: string;
  /** The columns of the dataset `fromId`, in the order of `columnIds`. */
  readonly fromColumnIds: readonly string[];
  readonly datasetId: string;
  /**
   * The joined columns, which together are the key. No two rows of the dataset have equal values in all of them, except
   * rows with null.
   */
  readonly columnIds: readonly string[];
  /** Whether several rows of the dataset may match one row of `fromId`. Only in a tree without a finest dataset. */
  readonly isMany?: true;
  /** Whether at most one row of `fromId` matches a row of the dataset. Absent if this is not known. */
  readonly isOneBack?: true;
}

/**
 * The dataset id by which a query with `from` names the answer of its inner query. Ids of the catalog are UUIDs, so it
 * cannot be the id of a dataset.
 */
export const fromId = "from";

/** An inner query whose answer another query reads, with a name for each column of that answer. */
export interface ParsedFrom {
  readonly path: string;
  readonly query: ParsedQuery;
  /** Distinct names of the dimensions, then of the measures, in the order of the request. */
  readonly columns: readonly string[];
}

/**
 * A data query after `parse`: its shape is checked, but no ids are looked up. Lists of conditions are combined with
 * AND.
 */
export interface ParsedQuery {
  readonly path: string;
  /** The inner query whose answer this query reads instead of datasets. */
  readonly from?: ParsedFrom;
  readonly dimensions: readonly Reference[];
  readonly measures: readonly Reference[];
  readonly where: readonly Condition[];
  readonly having: readonly Condition[];
  readonly order: readonly OrderItem[];
  /** Which of the rows that are equal in some columns are kept, before `limit`. */
  readonly groupLimit?: GroupPage;
  /** The page that `options.paging` selects within `limit`. */
  readonly limit: Page | undefined;
  /** Whether rows are grouped. False for plain rows, which ignore aggregations. */
  readonly rollup: boolean;
  /** The time zone, as a canonical IANA name; undefined means UTC. */
  readonly timezoneId: string | undefined;
  /** A canonical BCP 47 tag. Strings are sorted by the rules of this language. */
  readonly localeId?: string;
  /** Whether string cells are plain strings, because `options.cells` is `plain`. */
  readonly isPlain?: true;
  /** Maximum age in milliseconds of a copy's rows, or of a cached answer of a live source. */
  readonly maxAgeMs?: number;
  /** How the datasets are joined. Absent before `joinDatasets`, and for a single dataset. */
  readonly tree?: JoinTree;
}
