import { wordsOf } from "../../charts/index.ts";
import { cellAt, pathOf, type LaidPivot, type PivotTrack } from "./layPivot.ts";

const mostCopiedCells = 1_000_000;

/**
 * Returns a pivot table as lines with tabs, for the clipboard: the names and formatted values of at most a million
 * cells.
 */
export function copyPivot(laid: LaidPivot, localeId: string): string {
  const { total } = wordsOf(localeId);
  const { columns, names, rows, totals } = laid;
  const nameOf = ({ line, measure }: PivotTrack) =>
    [
      ...pathOf(line.head).map(({ name }) => name),
      ...(line.role === "total" ? [total] : []),
      ...(measure ? [measure.name] : []),
    ].join(" · ");
  const lines = [[...names.map(({ title }) => title), ...columns.map(nameOf)]];
  const mostRows = Math.floor(mostCopiedCells / Math.max(1, columns.length));
  for (const row of [...totals, ...rows].slice(0, mostRows)) {
    const path = pathOf(row.line.head).map(({ name }) => name);
    const isWhole = row.line.head.depth === 0;
    const own = names.map(({ fields }, position) =>
      fields.length === 0
        ? (row.measure?.name ?? "")
        : isWhole && position === 0
          ? total
          : laid.isIndented
            ? path.join(" · ")
            : (path[position] ??
              (row.line.role === "total" && position === path.length ? total : "")),
    );
    const values = columns.map((column) => {
      const found = cellAt(laid, row, column);
      return found ? found.measure.text(found.cell) : "";
    });
    lines.push([...own, ...values]);
  }
  return lines.map((line) => line.join("\t")).join("\n");
}
