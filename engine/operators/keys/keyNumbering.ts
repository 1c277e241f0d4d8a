import type { FewCodes } from "./fewNumbering.ts";

/**
 * One key: either its number, in a row group where all rows have the same, or its numbers, which are written or added
 * to a vector.
 */
export interface KeyNumbering {
  openRowGroup(): number | undefined;
  write(to: number, isFirst: 0 | 1): void;
  readonly column: number | undefined;
  /**
   * Returns the codes of the key in the row group; undefined if they are neither stored bytes nor can be found with a
   * few comparisons of stored numbers.
   */
  few?(): FewCodes | undefined;
}
