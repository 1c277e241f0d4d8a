import type { FewCodes } from "./fewNumbering.ts";

/**
 * The numbering of one key in a row group. If all rows have the same number, the numbering consists of that number.
 * Otherwise, the numbers are written to a vector, or added to the numbers in it.
 */
export interface KeyNumbering {
  openRowGroup(): number | undefined;
  write(to: number, isFirst: 0 | 1): void;
  readonly column: number | undefined;
  /**
   * Returns the codes of the key in the row group. Returns undefined if the codes are not stored bytes and cannot be
   * found with a few comparisons of stored numbers.
   */
  few?(): FewCodes | undefined;
}
