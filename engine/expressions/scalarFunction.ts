import type { DataType } from "../types.ts";

/** A value of a row: a number or datetime, with NaN for null, or a string, with null for null. */
export type Cell = number | string | null;

/**
 * The type of a parameter. `T` is any one type, the same throughout a call. Literal parameters take literal strings: an
 * entry of `periods` or `dateParts`, a pattern of `formatDate`, or an IANA time zone.
 */
export type Parameter = DataType | "T" | LiteralParameter;
export type LiteralParameter = "period" | "part" | "pattern" | "zone";

/** Evaluates a row. Its arguments have the types of the parameters, without the literal ones. */
export type RowFunction = (...cells: never[]) => Cell;

/** Evaluates the rows of a batch from doubles to doubles; NaN is null. `out` must not be one of `parts`. */
export type VectorFunction = (
  parts: readonly ArrayLike<number>[],
  rowCount: number,
  out: { [row: number]: number },
) => void;

export interface ScalarFunction {
  readonly parameters: readonly Parameter[];
  /** The type of further arguments after the parameters, if the function takes any number of them. */
  readonly repeated?: DataType | "T";
  readonly result: DataType | "T";
  /** The function is called with nulls. Without this flag, a null argument gives null. */
  readonly seesNulls?: true;
  /**
   * Creates the function for the literal arguments of a call, in their order. A result that is not finite counts as
   * null.
   */
  readonly bind: (literals: readonly string[]) => RowFunction;
  /** The same for many rows, if a separate loop is worth it. */
  readonly vector?: VectorFunction;
}

/** Longest string that a function returns, in UTF-16 units. Functions return null instead of longer strings. */
export const textLimit = 100_000;
