/*
 * Answers and writes inside a process: equal-length columns.
 * Null is NaN in numbers and datetimes (NaN itself never occurs as a value) and the code -1 in texts.
 */

/** IEEE doubles, one a row. NaN is null. */
export interface NumericBatchColumn {
  readonly type: "numeric";
  readonly values: Float64Array;
}

/** Milliseconds since 1970-01-01T00:00:00Z, one a row. NaN is null. */
export interface DatetimeBatchColumn {
  readonly type: "datetime";
  readonly values: Float64Array;
}

/** `dictionary[codes[row]]` is the text of a row; the code -1 is null. Entries are distinct; some may be unused. */
export interface HierarchyBatchColumn {
  readonly type: "hierarchy";
  readonly codes: Int32Array;
  readonly dictionary: readonly string[];
}

/** The values of one column of a batch, one a row. */
export type BatchColumn = NumericBatchColumn | DatetimeBatchColumn | HierarchyBatchColumn;

export interface Batch {
  readonly rowCount: number;
  readonly columns: readonly BatchColumn[];
}

/** The answer to a query: its rows, and which of its filters these rows are known to pass. */
export interface AnsweredBatch extends Batch {
  /**
   * Indexes into `query.filters` (top-level entries) of the filters that were applied exactly, each once. The host
   * tests the others. Absent in a process: all that the plugin promises exactly. Absent in an answer of `manifold-1`:
   * none.
   */
  readonly applied?: readonly number[];
}
