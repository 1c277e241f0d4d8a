/*
 * Batches are the form of answers and writes inside a process: columns of equal length. In numbers and datetimes, NaN
 * represents null, and NaN itself never occurs as a value. In text, the code -1 represents null.
 */

/** Numbers as IEEE doubles, one per row. NaN represents null. */
export interface NumericBatchColumn {
  readonly type: "numeric";
  readonly values: Float64Array;
}

/** Datetimes as milliseconds since 1970-01-01T00:00:00Z, one per row. NaN represents null. */
export interface DatetimeBatchColumn {
  readonly type: "datetime";
  readonly values: Float64Array;
}

/**
 * Text as codes: `dictionary[codes[row]]` is the string of a row, and the code -1 represents null. Dictionary entries
 * are distinct; some may be unused.
 */
export interface HierarchyBatchColumn {
  readonly type: "hierarchy";
  readonly codes: Int32Array;
  readonly dictionary: readonly string[];
}

/** The values of one column of a batch, one per row. */
export type BatchColumn = NumericBatchColumn | DatetimeBatchColumn | HierarchyBatchColumn;

/** A set of rows, stored as columns of equal length. */
export interface Batch {
  /** Length of every column. */
  readonly rowCount: number;
  readonly columns: readonly BatchColumn[];
}

/** The answer to a query: its rows, and which filters were applied exactly. */
export interface AnsweredBatch extends Batch {
  /**
   * The filters that were applied exactly, as distinct indexes into the top-level entries of `query.filters`. The host
   * applies the other filters itself. Absent in a process: all filters that the plugin promises exactly. Absent in an
   * answer of `manifold-1`: none.
   */
  readonly applied?: readonly number[];
}
