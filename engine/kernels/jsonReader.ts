/*
 * What `parseJsonRows` works with, in words of 32 bits. The text is UTF-8 that ends with `decoderSlackBytes` zeros.
 */

export const jsonReaderWords = {
  /** Where a row begins, or what stands behind one. */
  at: 0,
  /** Behind the text. */
  end: 1,
  /** The first byte of every row: a bracket or a brace. */
  form: 2,
  /** Rows that were read. */
  row: 3,
  rowLimit: 4,
  /** Where the columns lie, one behind the other. */
  columns: 5,
  columnCount: 6,
  /** The pool of the members' names; the code of a name is the place of its column. */
  members: 7,
  /** `jsonPlaceBytes` for each of the first members of a row, zeros at first: how a name was written, and its column. */
  places: 8,
  placeCount: 9,
  /** What `decimalPowers` makes. */
  powers: 10,
  /** Where texts with escapes are spelled out, and how long they may be. */
  scratch: 11,
  scratchBytes: 12,
  /** The column that lacks room, and of a text its bytes. */
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
  /** Rows that there is room for. */
  capacity: 4,
  /** 1 when there is a value. */
  hasValue: 5,
  /** 1 when there is a datetime that is no date. */
  hasTime: 6,
  /** Where the address of each datetime goes, 0 when nobody asks. */
  starts: 7,
  /** 1 when there is a text with a lone surrogate. */
  hasLone: 8,
} as const;

export const jsonColumnBytes = 64;

/** A column without a type has had nulls only. */
export const jsonColumnTypes = { none: 0, number: 1, datetime: 2, text: 3 } as const;

/** Why reading ended. */
export const jsonStatus = {
  /** The row at `at` is none that is read here, or the limit is reached; the columns know nothing of it. */
  unread: 0,
  /** No comma stands behind a row. */
  behind: 1,
  /** The pool of `column` has no room for a text of `wantedBytes`. */
  full: 2,
  /** `column` has no room for the row. */
  narrow: 3,
} as const;
