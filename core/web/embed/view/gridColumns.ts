import {
  cellFormats,
  measureText,
  readColumns,
  type CellFormat,
  type ChartColumn,
} from "../../charts/index.ts";
import type { GridContent } from "./gridContent.ts";

/** Number of rows from which column widths are measured. */
const measuredRows = 200;
const narrowest = 64;
const widest = 320;

/** A column of a table on a page. */
export interface GridColumn extends ChartColumn {
  readonly widthPx: number;
  readonly format: CellFormat;
  /** The number whose bar fills a whole cell; 0 for a column without bars. */
  readonly longestBar: number;
  /** Distance from the left edge, in pixels, at which a pinned column stays; undefined for a column that scrolls. */
  readonly pinnedAtPx: number | undefined;
}

/**
 * Creates the columns of a table. Pinned columns come first, and at least one column scrolls. O(rows) for columns with
 * bars.
 */
export function gridColumns(content: GridContent): GridColumn[] {
  const { item, theme, colors, rows, totals } = content;
  const formatOf = cellFormats(item, theme, colors);
  const wanted = item.options.pinnedColumns;
  const columns = readColumns(content);
  const pinnedCount = typeof wanted === "number" ? Math.min(wanted, columns.length - 1) : 0;
  let left = 0;
  return columns.map((column, cell) => {
    const format = formatOf(column);
    const measured = rows.slice(0, measuredRows);
    const texts = measured.map((row) => measureText(column.text(row[cell]), 13));
    const total = totals ? measureText(column.text(totals[cell]), 13, 600) : 0;
    const most = Math.max(measureText(column.name, 12, 600) + 14, total, ...texts) + 22;
    const widthPx = Math.round(format.widthPx ?? Math.min(widest, Math.max(narrowest, most)));
    const pinnedAtPx = cell < pinnedCount ? left : undefined;
    left += widthPx;
    const longestBar =
      format.barColor === undefined
        ? 0
        : format.fullBar(rows.map((row) => column.number(row[cell])));
    return { ...column, widthPx, format, longestBar, pinnedAtPx };
  });
}

/** Returns the total width of the pinned columns in pixels. */
export const pinnedWidthPx = (columns: readonly GridColumn[]): number =>
  columns.reduce(
    (sum, { pinnedAtPx, widthPx }) => (pinnedAtPx === undefined ? sum : sum + widthPx),
    0,
  );
