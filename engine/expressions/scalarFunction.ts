import type { DataType } from "../types.ts";

/** A value of a row: a number or datetime, NaN for null, or a text, null for null. */
export type Cell = number | string | null;

/**
 * The type of a parameter. `T` is any one type, the same throughout a call. The others are literal texts: of
 * `periods`, of `dateParts`, a pattern of `formatDate`, an IANA time zone.
 */
export type Parameter = DataType | "T" | LiteralParameter;
export type LiteralParameter = "period" | "part" | "pattern" | "zone";

/** Computes a row; arguments have the types of the parameters, without the literal ones. */
export type RowFunction = (...cells: never[]) => Cell;

/** Computes the rows of a batch from doubles into doubles; NaN is null. `out` is none of `parts`. */
export type VectorFunction = (
  parts: readonly ArrayLike<number>[],
  rowCount: number,
  out: { [row: number]: number },
) => void;

export interface ScalarFunction {
  readonly parameters: readonly Parameter[];
  /** A parameter that may come again after the others. */
  readonly repeated?: DataType | "T";
  readonly result: DataType | "T";
  /** It is called with nulls; without this, a null argument gives null. */
  readonly seesNulls?: true;
  /**
   * Makes the function for the literal arguments of a call, in their order. A number that is not finite counts as null.
   */
  readonly bind: (literals: readonly string[]) => RowFunction;
  /** The same for many rows, where a loop of its own is worth it. */
  readonly vector?: VectorFunction;
}

/** Longest text that a function returns, in UTF-16 units. Functions return null instead of longer ones. */
export const textLimit = 100_000;
