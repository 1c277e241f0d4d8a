type Cells = readonly (string | null)[];

/** Number of rows in which the header is looked for. */
const mostRows = 20;

/**
 * Returns the index of the row that looks like the header: the first row whose cells all have distinct values, if the
 * rows before it have few values. Undefined if the first row may be the header. O(cells).
 */
export function findHeader(rows: readonly Cells[]): number | undefined {
  const widths = new Map<number, number>();
  for (const { length } of rows) widths.set(length, (widths.get(length) ?? 0) + 1);
  const [usual] = [...widths].toSorted((one, other) => other[1] - one[1]);
  const [width, count] = usual ?? [0, 0];
  if (width < 2 || count < 2) return undefined;
  for (const [index, row] of rows.slice(0, mostRows).entries()) {
    const values = row.filter((cell) => cell !== null && cell.trim() !== "");
    const isSparse =
      row.length < width
        ? values.length < row.length || row.length * 2 <= width
        : values.length * 2 <= width;
    if (isSparse) continue;
    const isHeader =
      row.length === width && values.length === width && new Set(values).size === width;
    return isHeader && index > 0 ? index : undefined;
  }
  return undefined;
}

/** Returns whether all cells of a row are numbers or years, which are rarely names of columns. */
export function areNumbers(row: Cells): boolean {
  return (
    row.length > 0 &&
    row.every((cell) => cell !== null && /^\s*[+-]?\d+(?:[.,]\d+)?\s*$/.test(cell))
  );
}
