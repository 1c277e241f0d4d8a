/*
 * The memory layout of `parseJsonRows`, in words of 32 bits. The text is UTF-8 that ends with `decoderSlackBytes`
 * zeros.
 */

export const jsonReaderWords = {
  /** Address of a row, or of the byte behind one. */
  at: 0,
  /** End of the text. */
  end: 1,
  /** The first byte of every row: `[` or `{`. */
  form: 2,
  /** Count of rows read. */
  row: 3,
  rowLimit: 4,
  /** Address of the columns, one behind the other. */
  columns: 5,
  columnCount: 6,
  /** The pool of member names; the code of a name is the index of its column. */
  members: 7,
  /**
   * `jsonPlaceBytes` for each of the first members of a row, zeros at first: how a name was written, and its column.
   */
  places: 8,
  placeCount: 9,
  /** Address of the table that `decimalPowers` builds. */
  powers: 10,
  /** Where texts with escapes are decoded, and their greatest length. */
  scratch: 11,
  scratchBytes: 12,
  /** The column that is full, and the bytes that a text of it needs. */
  column: 13,
  wantedBytes: 14,
} as const;

export const jsonReaderBytes = 64;
export const jsonPlaceBytes = 12;

export const jsonColumnWords = {
  /** One of `jsonColumnTypes`. */
  type: 0,
  /** Doubles, NaN for null; of texts codes, -1 for null. */
  values: 1,
  /** The pool of a column of texts. */
  texts: 2,
  /** Rows whose cell is set; later ones may be missing. */
  filled: 3,
  /** Rows that fit. */
  capacity: 4,
  /** 1 when there is a value. */
  hasValue: 5,
  /** 1 when a datetime has a time of day. */
  hasTime: 6,
  /** Where the address of each datetime is written; 0 when it is not needed. */
  starts: 7,
  /** 1 when there is a text with a lone surrogate. */
  hasLone: 8,
} as const;

export const jsonColumnBytes = 64;

/** A column that has only nulls so far has no type. */
export const jsonColumnTypes = { none: 0, number: 1, datetime: 2, text: 3 } as const;

/** Why reading ended. */
export const jsonStatus = {
  /** The row at `at` has a form that this reader does not take, or the limit is reached. The columns do not have it. */
  unread: 0,
  /** No comma follows a row. */
  behind: 1,
  /** The pool of `column` has no space for a text of `wantedBytes`. */
  full: 2,
  /** `column` has no space for the row. */
  narrow: 3,
} as const;
