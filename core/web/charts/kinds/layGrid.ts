import type { ChartCell } from "../answer/chartRequest.ts";
import type { CellFormat } from "../frame/cellFormats.ts";
import { fillIn } from "../words/templates.ts";
import type { Frame, PlacedColumn } from "../frame/frame.ts";
import { measureText } from "../text/measureText.ts";

/** The content of a table or pivot table: its columns, and one cell per column and row. */
export interface Grid {
  readonly columns: readonly PlacedColumn[];
  readonly rows: readonly (readonly ChartCell[])[];
  /** The totals row above the other rows; undefined for a table without totals. */
  readonly totals: readonly ChartCell[] | undefined;
  /** Number of rows that the answer leaves out; undefined if it is not known. */
  readonly leftOutCount?: number | undefined;
  /**
   * Number of columns at the start that contain names of rows.
   * @default 0
   */
  readonly nameCount?: number;
  /**
   * Returns the row of the answer that a cell shows; undefined for totals.
   * @default the row of the grid
   */
  sourceAt?(row: number, cell: number): number | undefined;
  /**
   * Returns whether a cell is a total. Totals have no colours or bars, because these compare single values.
   * @default no cell
   */
  isTotal?(row: number, cell: number): boolean;
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
  /** Index of the first shown row. */
  readonly from: number;
  /** Number of rows that do not fit and are in no other part of the table. */
  readonly hiddenCount: number;
  /** Top edge of the first row, in pixels. `end` is the right edge of the last column. */
  readonly top: number;
  readonly end: number;
  readonly rowHeight: number;
  readonly headHeight: number;
}

/** Height of a row, and of the column names above the rows, in pixels. */
const usualHeight = 26;
const headerHeight = 28;

const narrowest = 56;
const widest = 240;
/** Number of rows from which the columns of a table with several parts are measured. */
const measuredRows = 500;

/** Computes the layout of a grid. A note names the columns that do not fit. */
export function layGrid(
  { area, words, notes, request: { tablePart } }: Frame,
  { columns, rows, totals, isTotal }: Grid,
  formatOf: (column: PlacedColumn) => CellFormat,
  rowHeight = usualHeight,
): LaidGrid {
  const above = headerHeight + (totals ? rowHeight : 0);
  const room = Math.max(0, Math.floor((area.height - above) / rowHeight));
  const from = tablePart?.from ?? 0;
  const isCounted = rows.length - from > room && tablePart?.isLast !== false;
  const shown = rows.slice(from, from + (isCounted ? Math.max(0, room - 1) : room));
  // The columns of a table are equally wide in all its parts.
  const measured = tablePart ? rows.slice(0, measuredRows) : shown;
  /** Returns the text of a column in the totals row. The first column without a total contains the label of the row. */
  const totalOf = (column: PlacedColumn): string => {
    const total = totals?.[column.cell] ?? null;
    if (total !== null) return column.text(total);
    return column.cell === totals?.findIndex((each) => each === null) ? words.total : "";
  };
  const widthOf = (column: PlacedColumn): number => {
    const first = tablePart ? 0 : from;
    const texts = measured.map((row, index) =>
      measureText(
        column.text(row[column.cell]),
        13,
        isTotal?.(first + index, column.cell) ? 600 : 400,
      ),
    );
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
    notes.push(fillIn(words.notShown, { names: left.join(words.comma) }));
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
    from,
    hiddenCount: isCounted ? rows.length - from - shown.length : 0,
    top: area.y + above,
    end: Math.max(x, area.x),
    rowHeight,
    headHeight: headerHeight,
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
