/** A rectangle of cells. Rows and columns are counted from 0, and the last ones belong to the range. */
export interface CellRange {
  readonly firstRow: number;
  /** Infinity for a range without a last row. */
  readonly lastRow: number;
  readonly firstColumn: number;
  readonly lastColumn: number;
}

const shape = /^\$?([A-Z]{1,3})\$?(\d{1,7})?:\$?([A-Z]{1,3})\$?(\d{1,7})?$/i;
const mostColumns = 16_384;

/** Parses a range of cells such as `A4:F200`, `A4:F` or `A:F`. Undefined for any other string. */
export function parseRange(text: string): CellRange | undefined {
  const match = shape.exec(text.trim());
  if (!match) return undefined;
  const [, from = "", fromRow = "1", to = "", toRow] = match;
  const range = {
    firstRow: Number(fromRow) - 1,
    lastRow: toRow === undefined ? Infinity : Number(toRow) - 1,
    firstColumn: columnIndex(from),
    lastColumn: columnIndex(to),
  };
  const isOrdered =
    range.firstRow >= 0 &&
    range.firstRow <= range.lastRow &&
    range.firstColumn <= range.lastColumn &&
    range.lastColumn < mostColumns;
  return isOrdered ? range : undefined;
}

function columnIndex(letters: string): number {
  let index = 0;
  for (const letter of letters.toUpperCase()) index = index * 26 + letter.charCodeAt(0) - 64;
  return index - 1;
}
