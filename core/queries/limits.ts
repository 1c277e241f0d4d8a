/** The limits of one call. Each is refused with a 4xx that names it. */
export interface QueryLimits {
  /** Rows of one answer. */
  readonly answerRowCount: number;
  readonly queryCount: number;
  /** Columns of one answer, including columns that only `having` uses. */
  readonly columnCount: number;
  /** Entries of one filter's list. */
  readonly listLength: number;
  /**
   * Periods or bins between the first and the last value of a dimension with
   * `include_nonoccurring`.
   */
  readonly periodCount: number;
  /** Levels of nested groups in `where` and `having`. */
  readonly filterDepth: number;
  /** Tests in `where` and `having` together. */
  readonly filterCount: number;
  /** Queries of one call that run at the same time. */
  readonly concurrency: number;
  /** Queries of one user that run at the same time, in all calls. */
  readonly tenantConcurrency: number;
  /** Milliseconds for the plugin and the residual of one query. */
  readonly timeoutMs: number;
}

export const defaultLimits: QueryLimits = {
  answerRowCount: 1_000_000,
  queryCount: 100,
  columnCount: 200,
  listLength: 100_000,
  periodCount: 20_000,
  filterDepth: 32,
  filterCount: 10_000,
  concurrency: 8,
  tenantConcurrency: 32,
  timeoutMs: 120_000,
};
