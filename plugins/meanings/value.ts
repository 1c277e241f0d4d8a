/**
 * A value while an expression is evaluated. A number is finite; a datetime is whole milliseconds since
 * 1970-01-01T00:00:00Z; a text has no half of a surrogate pair. A test is never null.
 */
export type Value = number | string | boolean | null;
