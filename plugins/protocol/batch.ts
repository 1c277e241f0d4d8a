/**
 * Answers and writes inside a process: equal-length columns.
 * Null is NaN in numbers and datetimes (NaN itself never occurs as a value) and the code -1 in texts.
 */

/** IEEE doubles, one a row. NaN is null. */
export interface NumericVector {
  readonly type: "numeric";
  readonly values: Float64Array;
}

/** Milliseconds since 1970-01-01T00:00:00Z, one a row. NaN is null. */
export interface DatetimeVector {
  readonly type: "datetime";
  readonly values: Float64Array;
}

/** `dictionary[codes[row]]` is the text of a row; the code -1 is null. Entries are distinct; some may be unused. */
export interface HierarchyVector {
  readonly type: "hierarchy";
  readonly codes: Int32Array;
  readonly dictionary: readonly string[];
}

export type Vector = NumericVector | DatetimeVector | HierarchyVector;

export interface Batch {
  readonly rowCount: number;
  readonly columns: readonly Vector[];
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
