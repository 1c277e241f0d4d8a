import type { SheetRow } from "./readSheet.ts";

/**
 * Finds the row that looks like the header among the first rows with values of a sheet: the first row that fills nearly
 * all columns with distinct strings. After a string, the row may also contain years or dates. Undefined if no row looks
 * like a header, or if no row follows it.
 */
export function findHeaderRow(rows: readonly SheetRow[]): SheetRow | undefined {
  const widest = rows.reduce((most, { cells }) => Math.max(most, cells.size), 0);
  const fewest = Math.max(2, Math.ceil(widest * 0.8));
  return rows
    .slice(0, -1)
    .find((row) => row.cells.size >= fewest && row.formulas.size === 0 && hasNames(row));
}

function hasNames({ cells }: SheetRow): boolean {
  const values = Array.from(cells.values());
  const names = new Set(values.map(String));
  return (
    names.size === values.length &&
    typeof values[0] === "string" &&
    (values.every((value) => typeof value === "string") || values.slice(1).every(isPeriod))
  );
}

const isPeriod = (value: unknown): boolean =>
  value instanceof Date ||
  (typeof value === "number" && Number.isInteger(value) && value >= 1900 && value <= 2100);
