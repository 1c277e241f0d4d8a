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
  /** The size of a dictionary that is created when it is first read. Absent: the dictionary exists already. */
  readonly dictionarySize?: DictionarySize;
  /** The dictionary as UTF-8, from which a store reads it without creating strings. Absent: there is no such form. */
  readonly utf8?: Utf8Texts | undefined;
}

/** Strings one after another in UTF-8. `ends[index]` is the offset at which a string ends. */
export interface Utf8Texts {
  readonly bytes: Uint8Array;
  readonly ends: Int32Array;
}

/** How many strings a dictionary contains, and how long they are. */
export interface DictionarySize {
  /** Number of entries. */
  readonly textCount: number;
  /** Sum of the `length` of all entries. */
  readonly textLength: number;
}

/** Returns the size of a column's dictionary. Does not create the dictionary. O(entries) if it exists already. */
export function dictionarySizeOf(column: HierarchyBatchColumn): DictionarySize {
  if (column.dictionarySize) return column.dictionarySize;
  const { dictionary } = column;
  let textLength = 0;
  for (const text of dictionary) textLength += text.length;
  return { textCount: dictionary.length, textLength };
}

/** The values of one column of a batch, one per row. */
export type BatchColumn = NumericBatchColumn | DatetimeBatchColumn | HierarchyBatchColumn;

/** A set of rows, stored as columns of equal length. */
export interface Batch {
  /** Length of every column. */
  readonly rowCount: number;
  readonly columns: readonly BatchColumn[];
  /**
   * Makes the memory of the columns available to later batches. Only the last user of a batch calls it, and must not
   * read the columns afterwards. Absent: the memory belongs to no pool.
   */
  readonly release?: (() => void) | undefined;
}

/** The answer to a query: its rows, and which filters were applied exactly. */
export interface AnsweredBatch extends Batch {
  /**
   * The filters that were applied exactly, as distinct indexes into the top-level entries of `query.filters`. The host
   * applies the other filters itself. Absent for a plugin in the host's process: all filters that the plugin promises
   * exactly. Absent in an answer of `manifold-1`: none.
   */
  readonly applied?: readonly number[];
}
