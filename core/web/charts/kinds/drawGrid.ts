import type { ChartCell } from "../answer/chartRequest.ts";
import { cellFormats } from "../frame/cellFormats.ts";
import { markOf, type Frame } from "../frame/frame.ts";
import { line, rect, text } from "../frame/nodes.ts";
import { fitText } from "../text/fitText.ts";
import { measureText } from "../text/measureText.ts";
import { layGrid, rowHeight, type Grid, type LaidColumn, type LaidGrid } from "./layGrid.ts";

/** Minimum length of bars next to the numbers. Shorter bars cannot be compared. */
const leastBar = 36;

/** Draws columns with their names, totals and rows of cells. The options determine bars and colours in cells. */
export function drawGrid(frame: Frame, grid: Grid): void {
  const { item, theme, colors } = frame.request;
  const laid = layGrid(frame, grid, cellFormats(item, theme, colors));
  for (const column of laid.columns) {
    paintHead(frame, grid, laid, column);
    paintCells(frame, grid, laid, column);
  }
  paintLines(frame, grid, laid);
  if (laid.hiddenCount > 0) countHidden(frame, laid);
}

/**
 * Returns the position and alignment of a column's text. Numbers are right-aligned, and other values are left-aligned.
 */
function placeOf({ column, x, width }: LaidColumn) {
  return column.isNumeric
    ? ({ at: x + width - 10, anchor: "end" } as const)
    : ({ at: x + 4, anchor: "start" } as const);
}

/** Draws the name of a column and its total. */
function paintHead(
  { nodes, area, request, words }: Frame,
  grid: Grid,
  laid: LaidGrid,
  of: LaidColumn,
) {
  const { theme } = request;
  const { column, width, total } = of;
  const { at, anchor } = placeOf(of);
  const header = fitText(column.name, width - 14, 12, 600);
  nodes.push(text(at, area.y + 18, header, { fill: theme.muted, weight: 600, anchor }));
  if (!grid.totals) return;
  const style = { fill: theme.text, size: 13, weight: 600, anchor } as const;
  nodes.push({
    ...text(at, laid.top - rowHeight + 17, fitText(total, width - 14, 13, 600), style),
    ...(grid.totals[column.cell] !== null && {
      mark: markOf(undefined, words.total, column.name, total),
    }),
  });
}

function paintCells(frame: Frame, { rows }: Grid, { shown, top }: LaidGrid, of: LaidColumn): void {
  const { column, format } = of;
  const most =
    format.barColor === undefined
      ? 0
      : format.fullBar(rows.map((row) => column.number(row[column.cell])));
  const numbers =
    most > 0
      ? Math.max(0, ...shown.map((row) => measureText(column.text(row[column.cell]), 13)))
      : 0;
  for (const [index, row] of shown.entries()) {
    const cell = row[column.cell];
    const y = top + index * rowHeight;
    if (most > 0) paintBar(frame, of, { value: column.number(cell), most, numbers, y });
    paintCell(frame, of, { cell, index, y });
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
  },
): void {
  const { value, most, numbers, y } = bar;
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
  of: LaidColumn,
  {
    cell,
    index,
    y,
  }: { readonly cell: ChartCell | undefined; readonly index: number; readonly y: number },
): void {
  const { theme } = request;
  const { column, format, x, width } = of;
  const { at, anchor } = placeOf(of);
  const painted = format.paint(cell);
  const written = column.text(cell);
  const fitted = format.isTextHidden ? "" : fitText(written, width - 14, 13);
  if (painted?.on === "background")
    nodes.push(rect(x, y, width, rowHeight, { fill: painted.fill }));
  if (painted?.on === "badge") {
    const badge = measureText(fitted, 13) + 12;
    const from = column.isNumeric ? at - badge + 6 : at - 4;
    nodes.push(rect(from, y + 4, badge, rowHeight - 8, { fill: painted.fill, radius: 9 }));
  }
  const usual = cell === null || cell === undefined ? theme.muted : theme.text;
  // A cell whose text is hidden keeps a mark that contains its value.
  nodes.push({
    ...text(painted?.on === "badge" && !column.isNumeric ? at + 2 : at, y + 17, fitted, {
      fill: painted?.text ?? usual,
      size: 13,
      anchor,
    }),
    mark: markOf(index, "", column.name, written),
  });
}

function paintLines({ nodes, area, request }: Frame, { totals }: Grid, laid: LaidGrid): void {
  const { theme } = request;
  const { shown, top, end } = laid;
  const lineAt = (y: number, stroke: string) => nodes.push(line([area.x, y], [end, y], { stroke }));
  lineAt(top, theme.axis);
  if (totals) lineAt(top - rowHeight, theme.grid);
  for (let index = 1; index <= shown.length; index++) lineAt(top + index * rowHeight, theme.grid);
}

/** Writes below the last row how many rows did not fit. */
function countHidden(frame: Frame, { shown, hiddenCount, top }: LaidGrid): void {
  const { nodes, area, request, words } = frame;
  const count = new Intl.NumberFormat(request.localeId).format(hiddenCount);
  const note = `+ ${count} ${words.moreRows}`;
  const y = top + shown.length * rowHeight + 17;
  nodes.push(text(area.x + 4, y, note, { fill: request.theme.muted }));
  frame.shownNotes.push(note);
}
