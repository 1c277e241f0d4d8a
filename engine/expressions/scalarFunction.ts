import type { DataType } from "../types.ts";

/** A value in a row: a number or datetime, with NaN for null, or a string or null. */
export type Cell = number | string | null;

/**
 * The type of a parameter. `T` is any type, but the same type throughout a call. Literal parameters accept literal
 * strings: an entry of `periods` or `dateParts`, a pattern of `formatDate`, or an IANA time zone.
 */
export type Parameter = DataType | "T" | LiteralParameter;
export type LiteralParameter = "period" | "part" | "pattern" | "zone";

/** Evaluates the function for a row. The arguments have the types of the parameters, without the literal parameters. */
export type RowFunction = (...cells: never[]) => Cell;

/**
 * Evaluates the function for the rows of a batch, from doubles to doubles; NaN is null. `out` must not be one of
 * `parts`.
 */
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
  /** True if the function must be called with nulls. Otherwise, a null argument makes the result null. */
  readonly seesNulls?: true;
  /**
   * Creates the function for the literal arguments of a call, in their order. The caller converts results that are not
   * finite to null.
   */
  readonly bind: (literals: readonly string[]) => RowFunction;
  /** Creates the same function for a batch of rows, if a separate loop is faster. */
  readonly vector?: VectorFunction;
}

/**
 * Maximum length of a string that a function returns, in UTF-16 units. Functions return null instead of a longer
 * string.
 */
export const textLimit = 100_000;
