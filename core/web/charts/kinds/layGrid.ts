import type { ChartCell } from "../answer/chartRequest.ts";
import type { CellFormat } from "../frame/cellFormats.ts";
import type { Frame, PlacedColumn } from "../frame/frame.ts";
import { measureText } from "../text/measureText.ts";

/** The content of a table or pivot table: its columns, and one cell per column and row. */
export interface Grid {
  readonly columns: readonly PlacedColumn[];
  readonly rows: readonly (readonly ChartCell[])[];
  /** The totals row above the other rows; undefined for a table without totals. */
  readonly totals: readonly ChartCell[] | undefined;
}

/** A column with its position in the picture. */
export interface LaidColumn {
  readonly column: PlacedColumn;
  readonly format: CellFormat;
  /** Left edge in pixels. `width` is in pixels too. */
  readonly x: number;
  readonly width: number;
  /** The text of the column in the totals row; empty without a total. */
  readonly total: string;
}

/** The columns and rows of a grid that fit into a picture, with their positions. */
export interface LaidGrid {
  readonly columns: readonly LaidColumn[];
  readonly shown: readonly (readonly ChartCell[])[];
  /** Number of rows that do not fit. */
  readonly hiddenCount: number;
  /** Top edge of the first row, in pixels. `end` is the right edge of the last column. */
  readonly top: number;
  readonly end: number;
}

/** Height of a row, and of the column names above the rows, in pixels. */
export const rowHeight = 26;
const headerHeight = 28;

const narrowest = 56;
const widest = 240;

/** Computes the layout of a grid. A note names the columns that do not fit. */
export function layGrid(
  { area, words, notes }: Frame,
  { columns, rows, totals }: Grid,
  formatOf: (column: PlacedColumn) => CellFormat,
): LaidGrid {
  const above = headerHeight + (totals ? rowHeight : 0);
  const room = Math.max(0, Math.floor((area.height - above) / rowHeight));
  const isCut = rows.length > room;
  const shown = rows.slice(0, isCut ? Math.max(0, room - 1) : room);
  /** Returns the text of a column in the totals row. The first column without a total contains the label of the row. */
  const totalOf = (column: PlacedColumn): string => {
    const total = totals?.[column.cell] ?? null;
    if (total !== null) return column.text(total);
    return column.cell === totals?.findIndex((each) => each === null) ? words.total : "";
  };
  const widthOf = (column: PlacedColumn): number => {
    const texts = shown.map((row) => measureText(column.text(row[column.cell]), 13));
    const total = totals ? measureText(totalOf(column), 13, 600) : 0;
    const most = Math.max(narrowest, measureText(column.name, 12, 600), total, ...texts) + 20;
    return Math.min(widest, most);
  };
  const wanted = columns.map((column) => {
    const format = formatOf(column);
    return { column, format, width: format.widthPx ?? widthOf(column), total: totalOf(column) };
  });
  const fitting = wanted.slice(0, fittingCount(wanted, area.width));
  if (fitting.length < columns.length) {
    const left = columns.slice(fitting.length).map(({ name }) => name);
    notes.push(`${words.notShown}: ${left.join(", ")}`);
  }
  const share = area.width / (fitting.reduce((sum, { width }) => sum + width, 0) || 1);
  let x = area.x;
  const placed = fitting.map((each) => {
    const width = each.width * share;
    x += width;
    return { ...each, x: x - width, width };
  });
  return {
    columns: placed,
    shown,
    hiddenCount: rows.length - shown.length,
    top: area.y + above,
    end: Math.max(x, area.x),
  };
}

/**
 * Returns how many columns fit. If the columns cannot shrink enough, only the first columns fit, and they share the
 * whole width.
 */
function fittingCount(wanted: readonly { readonly width: number }[], room: number): number {
  const total = wanted.reduce((sum, { width }) => sum + width, 0);
  const least = wanted.length * (narrowest + 20);
  if (total <= room || least <= room) return wanted.length;
  let [count, taken] = [0, 0];
  for (const { width } of wanted) {
    if (count > 0 && taken + width > room) break;
    taken += width;
    count++;
  }
  return count;
}
