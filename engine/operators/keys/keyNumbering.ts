import type { FewCodes } from "./fewNumbering.ts";

/**
 * The numbering of one key in a row group. If all rows have the same number, it is that number; otherwise numbers are
 * written or added to a vector.
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
