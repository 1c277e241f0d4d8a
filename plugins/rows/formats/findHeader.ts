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
  // One row may lack a cell; several narrow rows are titles.
  const areTitles = rows.slice(0, 2).every(({ length }) => length < width);
  for (const [index, row] of rows.slice(0, mostRows).entries()) {
    const values = row.filter((cell) => cell !== null && cell.trim() !== "");
    const isSparse =
      row.length < width
        ? areTitles || values.length < row.length || row.length * 2 <= width
        : values.length * 2 <= width;
    if (isSparse) continue;
    const isHeader =
      row.length === width &&
      values.length === width &&
      new Set(values).size === width &&
      !areNumbers(row);
    return isHeader && index > 0 ? index : undefined;
  }
  return undefined;
}

/**
 * Returns the index of the first row after the comments at the start: rows that begin with `#`, as in the files of
 * measuring devices. Undefined without comments. A single such row may be the header itself.
 */
export function endOfComments(rows: readonly Cells[]): number | undefined {
  const index = rows.findIndex(([first]) => first?.trim().startsWith("#") !== true);
  const isHeader = index === 1 && rows[0]?.length === rows[1]?.length;
  return index < 1 || isHeader ? undefined : index;
}

/**
 * Returns whether the second row continues the header: it has cells exactly below the names that are empty or repeated.
 */
export function isSecondHeader(header: Cells, second: Cells): boolean {
  const counts = new Map<string | null, number>();
  for (const name of header) counts.set(name, (counts.get(name) ?? 0) + 1);
  const isOpen = header.map((name) => (name ?? "").trim() === "" || (counts.get(name) ?? 0) > 1);
  return (
    second.length === header.length &&
    isOpen.includes(true) &&
    isOpen.includes(false) &&
    second.every((cell, index) => ((cell ?? "").trim() !== "") === isOpen[index])
  );
}

/** Returns whether all cells of a row are numbers or years, which are rarely names of columns. */
export function areNumbers(row: Cells): boolean {
  return (
    row.length > 0 &&
    row.every((cell) => cell !== null && /^\s*[+-]?\d+(?:[.,]\d+)?\s*$/.test(cell))
  );
}
