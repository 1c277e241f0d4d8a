import type { ChartCell } from "../answer/chartRequest.ts";
import { cellFormats } from "../frame/cellFormats.ts";
import { counted } from "../words/templates.ts";
import { markOf, type Frame } from "../frame/frame.ts";
import { line, rect, text } from "../frame/nodes.ts";
import { fitText } from "../text/fitText.ts";
import { measureText } from "../text/measureText.ts";
import { tableLook, type CellAlign, type TableLook } from "../frame/tableLook.ts";
import { layGrid, type Grid, type LaidColumn, type LaidGrid } from "./layGrid.ts";

/** Minimum length of bars next to the numbers. Shorter bars cannot be compared. */
const leastBar = 36;

/** Draws columns with their names, totals and rows of cells. The options determine bars and colours in cells. */
export function drawGrid(frame: Frame, grid: Grid): void {
  const { item, theme, colors } = frame.request;
  const look = tableLook(item, theme);
  const formatOf = cellFormats(item, theme, colors);
  const laid = layGrid(frame, grid, formatOf, look.rowHeightPx);
  paintGrounds(frame, laid, look);
  for (const [index, column] of laid.columns.entries()) {
    const isName = index < (grid.nameCount ?? 0);
    paintHead(frame, { grid, laid, look, isName }, column);
    paintCells(frame, { grid, laid, look, isName }, column);
  }
  paintLines(frame, grid, laid, look);
  if (laid.hiddenCount > 0) countHidden(frame, grid, laid);
  if (!frame.request.tablePart) return;
  const { shown, from, top, hiddenCount, rowHeight } = laid;
  frame.tableRows = {
    to: from + shown.length,
    count: grid.rows.length,
    bottom: top + (shown.length + (hiddenCount > 0 ? 1 : 0)) * rowHeight,
  };
}

/** A grid with its layout and its look. */
interface Placed {
  readonly grid: Grid;
  readonly laid: LaidGrid;
  readonly look: TableLook;
  /** Whether the column contains names of rows. */
  readonly isName: boolean;
}

/**
 * Returns the position and alignment of a column's text. Without an alignment of its own, numbers are right-aligned,
 * and other values are left-aligned.
 */
function placeOf({ column, x, width }: LaidColumn, align: CellAlign | undefined) {
  const side = align ?? (column.isNumeric ? "right" : "left");
  if (side === "center") return { at: x + width / 2, anchor: "middle" } as const;
  return side === "right"
    ? ({ at: x + width - 10, anchor: "end" } as const)
    : ({ at: x + 4, anchor: "start" } as const);
}

/** Draws the backgrounds of the column names and of every second row. */
function paintGrounds(
  { nodes, area, request }: Frame,
  { shown, top, end, rowHeight, headHeight }: LaidGrid,
  { headBackground, isStriped }: TableLook,
): void {
  const width = end - area.x;
  if (headBackground !== undefined)
    nodes.push(rect(area.x, area.y, width, headHeight, { fill: headBackground }));
  if (!isStriped) return;
  const stripe = { fill: request.theme.grid, opacity: 0.45 };
  for (let index = 1; index < shown.length; index += 2)
    nodes.push(rect(area.x, top + index * rowHeight, width, rowHeight, stripe));
}

/** Draws the name of a column and its total. */
function paintHead(
  { nodes, area, request, words }: Frame,
  { grid, laid, look, isName }: Placed,
  of: LaidColumn,
) {
  const { theme } = request;
  const { column, width, total } = of;
  const { at, anchor } = placeOf(of, isName ? look.rowHeadAlign : look.headAlign);
  const header = fitText(column.name, width - 14, 12, 600);
  nodes.push(text(at, area.y + 18, header, { fill: look.headColor, weight: 600, anchor }));
  if (!grid.totals) return;
  const place = placeOf(of, isName ? look.rowHeadAlign : look.valueAlign);
  const style = { fill: theme.text, size: 13, weight: 600, anchor: place.anchor } as const;
  nodes.push({
    ...text(
      place.at,
      laid.top - laid.rowHeight / 2 + 4,
      fitText(total, width - 14, 13, 600),
      style,
    ),
    ...(grid.totals[column.cell] !== null && {
      mark: markOf(undefined, words.total, column.name, total),
    }),
  });
}

function paintCells(frame: Frame, placed: Placed, of: LaidColumn): void {
  const { grid, laid } = placed;
  const { shown, from, top, rowHeight } = laid;
  const { column, format } = of;
  const { rows } = grid;
  const isTotal = (row: number) => grid.isTotal?.(row, column.cell) === true;
  const single = rows.filter((_, row) => !isTotal(row));
  const most =
    format.barColor === undefined
      ? 0
      : format.fullBar(single.map((row) => column.number(row[column.cell])));
  const numbers =
    most > 0
      ? Math.max(0, ...shown.map((row) => measureText(column.text(row[column.cell]), 13)))
      : 0;
  for (const [index, row] of shown.entries()) {
    const cell = row[column.cell];
    const y = top + index * rowHeight;
    const isSum = isTotal(from + index);
    if (most > 0 && !isSum)
      paintBar(frame, of, { value: column.number(cell), most, numbers, y, rowHeight });
    const at = from + index;
    const source = grid.sourceAt ? grid.sourceAt(at, column.cell) : at;
    paintCell(frame, placed, of, { cell, row: source, isTotal: isSum, y });
  }
}

/** Draws the bar of a number: next to the numbers if there is room, otherwise behind them. */
function paintBar(
  { nodes, request }: Frame,
  { format, x, width }: LaidColumn,
  bar: {
    readonly value: number | null;
    /** The number that has the longest bar. */
    readonly most: number;
    /** Width of the widest number in pixels. */
    readonly numbers: number;
    readonly y: number;
    readonly rowHeight: number;
  },
): void {
  const { value, most, numbers, y, rowHeight } = bar;
  if (format.barColor === undefined || value === null) return;
  const isBeside = width - 24 - numbers >= leastBar;
  const longest = width - (isBeside ? 24 + numbers : 14);
  nodes.push(
    rect(x + 4, y + 4, longest * Math.min(1, Math.abs(value) / most), rowHeight - 8, {
      fill: value < 0 ? request.theme.negative : format.barColor,
      opacity: isBeside ? 0.55 : 0.18,
      radius: 2,
    }),
  );
}

function paintCell(
  { nodes, request }: Frame,
  { laid: { rowHeight }, look, isName }: Placed,
  of: LaidColumn,
  {
    cell,
    row,
    isTotal,
    y,
  }: {
    readonly cell: ChartCell | undefined;
    /** Index of the row in the answer. */
    readonly row: number | undefined;
    readonly isTotal: boolean;
    readonly y: number;
  },
): void {
  const { theme } = request;
  const { column, format, x, width } = of;
  const { at, anchor } = placeOf(of, isName ? look.rowHeadAlign : look.valueAlign);
  const painted = isTotal ? undefined : format.paint(cell);
  const written = column.text(cell);
  const fitted = format.isTextHidden ? "" : fitText(written, width - 14, 13, isTotal ? 600 : 400);
  if (painted?.on === "background")
    nodes.push(rect(x, y, width, rowHeight, { fill: painted.fill }));
  if (painted?.on === "badge") {
    const badge = measureText(fitted, 13) + 12;
    const from = { end: at - badge + 6, middle: at - badge / 2, start: at - 4 }[anchor];
    nodes.push(rect(from, y + 4, badge, rowHeight - 8, { fill: painted.fill, radius: 9 }));
  }
  const usual = cell === null || cell === undefined ? theme.muted : theme.text;
  // A cell whose text is hidden keeps a mark that contains its value.
  nodes.push({
    ...text(
      painted?.on === "badge" && anchor === "start" ? at + 2 : at,
      y + rowHeight / 2 + 4,
      fitted,
      {
        fill: painted?.text ?? usual,
        size: 13,
        anchor,
      },
    ),
    mark: markOf(row, "", column.name, written),
  });
}

function paintLines(
  { nodes, area, request }: Frame,
  { totals }: Grid,
  laid: LaidGrid,
  { borders }: TableLook,
): void {
  const { theme } = request;
  const { shown, top, end, rowHeight, columns } = laid;
  const { color, widthPx: strokeWidth } = borders;
  const lineAt = (y: number, stroke: string, width: number) =>
    nodes.push(line([area.x, y], [end, y], { stroke, strokeWidth: width }));
  lineAt(top, theme.axis, 1);
  if (totals && borders.hasRows) lineAt(top - rowHeight, color, strokeWidth);
  if (borders.hasRows)
    for (let index = 1; index <= shown.length; index++)
      lineAt(top + index * rowHeight, color, strokeWidth);
  const bottom = top + shown.length * rowHeight;
  if (borders.hasColumns)
    for (const { x } of columns.slice(1))
      nodes.push(line([x, area.y], [x, bottom], { stroke: color, strokeWidth }));
}

/** Writes below the last row how many rows did not fit, together with those that the answer leaves out. */
function countHidden(
  frame: Frame,
  { leftOutCount }: Grid,
  { shown, hiddenCount, top, rowHeight }: LaidGrid,
): void {
  const { nodes, area, request, words } = frame;
  if (leftOutCount !== undefined) frame.isCutSaid = true;
  const note = counted(words.moreRows, hiddenCount + (leftOutCount ?? 0), request.localeId);
  const y = top + shown.length * rowHeight + 17;
  nodes.push(text(area.x + 4, y, note, { fill: request.theme.muted }));
  frame.shownNotes.push(note);
}
