/**
 * A value during evaluation. Numbers are finite. Datetimes are whole milliseconds since 1970-01-01T00:00:00Z. Strings
 * contain no lone surrogates. Booleans are never null.
 */
export type Value = number | string | boolean | null;
