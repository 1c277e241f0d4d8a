/*
 * The memory layout of `parseJsonRows`, in 32-bit words. The JSON is UTF-8 and followed by `decoderSlackBytes` zeros.
 */

export const jsonReaderWords = {
  /** Address of a row, or of the byte after a row. */
  at: 0,
  /** Number of rows read. */
  row: 1,
  rowLimit: 2,
  /** Address of the columns, which follow one another. */
  columns: 3,
  columnCount: 4,
  /** Address of the table that `decimalPowers` creates. */
  powers: 5,
  /** Address at which strings with escapes are decoded, and their maximum length. */
  scratch: 6,
  scratchBytes: 7,
  /** The column whose memory is full, and the number of bytes that a string in it needs. */
  column: 8,
  wantedBytes: 9,
} as const;

export const jsonReaderBytes = 64;

export const jsonColumnWords = {
  /** One of `jsonColumnTypes`. */
  type: 0,
  /** Doubles, with NaN for null; for strings, codes with -1 for null. */
  values: 1,
  /** The pool of a text column. */
  texts: 2,
  /** Number of rows whose cell is set. */
  filled: 3,
  /** Number of rows for which there is space. */
  capacity: 4,
  /** 1 if the column has a value other than null. */
  hasValue: 5,
  /** 1 if a datetime of the column has a time of day. */
  hasTime: 6,
  /** Address at which the position of each datetime is written; 0 if positions are not needed. */
  starts: 7,
  /** 1 if a string of the column contains a lone surrogate. */
  hasLone: 8,
} as const;

export const jsonColumnBytes = 64;

/** The column has no type yet, because it contains only nulls so far. */
export const jsonColumnTypes = { none: 0, number: 1, datetime: 2, text: 3 } as const;

/** The reason why reading stopped. */
export const jsonStatus = {
  /**
   * Reading stopped because the row at `at` has a form that this reader does not handle, or because the row limit was
   * reached. The columns do not contain the row.
   */
  unread: 0,
  /** Reading stopped after a row that is not followed by a comma. */
  behind: 1,
  /** Reading stopped because the pool of `column` has no space for a string of `wantedBytes`. */
  full: 2,
  /** Reading stopped because `column` has no space for the row. */
  narrow: 3,
} as const;
