import type { ChartCell, ChartColumn } from "../../charts/index.ts";

/** The sort order of a table: a column and a direction. */
export interface Sorting {
  readonly cell: number;
  readonly direction: 1 | -1;
}

/** Returns row indexes sorted by a column. Missing values come last in both directions. O(rows log rows). */
export function sortRows(
  rows: readonly (readonly ChartCell[])[],
  columns: readonly ChartColumn[],
  sorting: Sorting | undefined,
  localeId: string,
): number[] {
  const places = rows.map((_, index) => index);
  const column = columns[sorting?.cell ?? -1];
  if (!sorting || !column) return places;
  const { cell, direction } = sorting;
  if (column.isNumeric || column.isDatetime) {
    const values = rows.map((row) => column.number(row[cell]) ?? column.wallMs(row[cell]) ?? NaN);
    return places.sort((one, other) => {
      const [a, b] = [values[one]!, values[other]!];
      if (Number.isNaN(a) || Number.isNaN(b))
        return Number(Number.isNaN(a)) - Number(Number.isNaN(b));
      return direction * (a - b) || one - other;
    });
  }
  const { compare } = new Intl.Collator(localeId, { numeric: true });
  const texts = rows.map((row) => (row[cell] == null ? null : column.text(row[cell])));
  return places.sort((one, other) => {
    const [a, b] = [texts[one]!, texts[other]!];
    if (a === null || b === null) return Number(a === null) - Number(b === null);
    return direction * compare(a, b) || one - other;
  });
}
