import type { DataType } from "../types.ts";

/**
 * The value of an expression in one row. A number or datetime is a double, with NaN for null. A string is a string or
 * null.
 */
export type Cell = number | string | null;

/**
 * The type of a parameter. `T` is any type; all parameters of type `T` have the same type within a call. Literal
 * parameters accept literal strings: an entry of `periods`, `dateParts`, `decimalMarks` or `thousandsMarks`, a pattern
 * of `formatDate`, a format of `parseDate`, or an IANA time zone.
 */
export type Parameter = DataType | "T" | LiteralParameter;
export type LiteralParameter =
  | "period"
  | "part"
  | "pattern"
  | "zone"
  | "dateFormat"
  | "decimalMark"
  | "thousandsMark";

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
  /** The type of the arguments after the listed parameters, if the function takes any number of arguments. */
  readonly repeated?: DataType | "T";
  readonly result: DataType | "T";
  /** True if the function handles null arguments itself. If not, the result is null whenever an argument is null. */
  readonly seesNulls?: true;
  /**
   * Creates the function for the literal arguments of a call, in their order. The caller converts results that are not
   * finite to null.
   */
  readonly bind: (literals: readonly string[]) => RowFunction;
  /** Creates the same function for a batch of rows. Present if a loop over the batch is faster than calls per row. */
  readonly vector?: VectorFunction;
}

/**
 * Maximum length of a string that a function returns, in UTF-16 units. Functions return null instead of a longer
 * string.
 */
export const textLimit = 100_000;
