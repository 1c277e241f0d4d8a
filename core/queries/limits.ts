/** The limits of one call. A call that exceeds a limit fails with a 4xx that names the limit. */
export interface QueryLimits {
  /** Maximum number of rows per answer. */
  readonly answerRowCount: number;
  /** Maximum number of rows of the answer of an inner query, which `from` reads. */
  readonly fromRowCount: number;
  /** Maximum number of inner queries, each the `from` of the previous one. */
  readonly fromDepth: number;
  readonly queryCount: number;
  /** Maximum number of columns per answer, including columns that only `having` uses. */
  readonly columnCount: number;
  /** Maximum number of values in the list of one filter. */
  readonly listLength: number;
  /**
   * Maximum number of periods or bins between the first and the last value of a dimension with `include_nonoccurring`.
   */
  readonly periodCount: number;
  /** Maximum depth of nested groups in `where` and `having`. */
  readonly filterDepth: number;
  /** Maximum number of tests in `where` and `having` together. */
  readonly filterCount: number;
  /** Maximum number of queries of one call that run at the same time. */
  readonly concurrency: number;
  /** Maximum number of queries of one user that run at the same time, over all calls. */
  readonly tenantConcurrency: number;
  /**
   * Maximum number of queries of one user that wait while the first of them has waited for more than `tenantQueueMs`.
   * Further calls fail with HOST_BUSY.
   */
  readonly tenantQueueLength: number;
  /** Maximum number of queries of one user that wait, even if they wait only for moments. */
  readonly tenantBurstLength: number;
  readonly tenantQueueMs: number;
  /** Maximum duration of a query in milliseconds. */
  readonly timeoutMs: number;
  /** The budgets for the total work of all queries in one call. */
  readonly work: WorkBudgets;
}

/** A kind of work and its budget. A query that exceeds the budget fails before it runs. */
export interface WorkBudget {
  readonly most: number;
  /**
   * Additional budget per row of the call's largest dataset, so that ordinary queries over large datasets are accepted.
   */
  readonly perRow?: number;
  /** The unit of the budget, for messages. */
  readonly unit: string;
  /** How to reduce the work, for messages. */
  readonly wayOut: string;
}

/** Every kind of work that is counted. `countFilters` and `estimateWork` compute the costs. */
export const workBudgets = {
  filter_values: {
    most: 500_000,
    unit: "values in lists of filters",
    wayOut: "list fewer values, or push the values as a dataset and join it",
  },
  tests: {
    most: 10_000,
    unit: "tests in where and having",
    wayOut: "combine the tests of one column into a single ? in ?",
  },
  string_tests: {
    most: 200_000_000,
    perRow: 100,
    unit: "string tests (tests with like, starts with or ends with × distinct strings)",
    wayOut: "use fewer of these tests, or test whole strings with ? in ?",
  },
  row_tests: {
    most: 10_000_000_000,
    perRow: 2_000,
    unit: "row tests (tests × rows)",
    wayOut: "combine the tests of one column into a single ? in ?",
  },
  computed_values: {
    most: 10_000_000_000,
    perRow: 2_000,
    unit: "computed values (functions and operators of expressions × rows)",
    wayOut: "use shorter or fewer expressions",
  },
  string_length: {
    most: 2_000_000,
    unit: "characters for one value of an expression",
    wayOut:
      "use fewer calls to repeat, replace, lpad, rpad and concat, or let them return shorter strings",
  },
  computed_characters: {
    most: 2_000_000_000,
    perRow: 2_000,
    unit: "computed characters (characters that string functions write × rows)",
    wayOut:
      "use fewer calls to repeat, replace, lpad, rpad and concat, or let them return shorter strings",
  },
  group_values: {
    most: 200_000_000,
    perRow: 400,
    unit: "group values (measures × groups)",
    wayOut: "use fewer measures, or dimensions with fewer values",
  },
  combinations: {
    most: 4_000_000,
    unit: "combinations of include_nonoccurring",
    wayOut: "remove include_nonoccurring from a dimension, or use longer periods or wider bins",
  },
  subqueries: {
    most: 400,
    unit: "subqueries (last_available, numbers of bins, include_nonoccurring)",
    wayOut: "use fixed dates, and bins with size or over",
  },
  joined_rows: {
    most: 2_000_000_000,
    perRow: 400,
    unit: "joined rows (joins × rows)",
    wayOut: "use fewer datasets in one query",
  },
  cells: {
    most: 100_000_000,
    unit: "cells in answers (rows × columns)",
    wayOut: "set limit {by, offset}, request fewer columns, or filter the rows",
  },
} as const satisfies Record<string, WorkBudget>;

export type WorkTerm = keyof typeof workBudgets;
export type WorkBudgets = Readonly<Record<WorkTerm, WorkBudget>>;

export const defaultLimits: QueryLimits = {
  answerRowCount: 1_000_000,
  fromRowCount: 5_000_000,
  fromDepth: 8,
  queryCount: 100,
  columnCount: 200,
  listLength: 100_000,
  periodCount: 20_000,
  filterDepth: 32,
  filterCount: 10_000,
  concurrency: 8,
  tenantConcurrency: 32,
  tenantQueueLength: 64,
  tenantBurstLength: 1_024,
  tenantQueueMs: 2_000,
  timeoutMs: 120_000,
  work: workBudgets,
};
