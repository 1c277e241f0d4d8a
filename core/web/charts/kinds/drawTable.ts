import type { ChartCell } from "../answer/chartRequest.ts";
import { markOf, type Frame, type PlacedColumn } from "../frame/frame.ts";
import { line, rect, text } from "../frame/nodes.ts";
import { fitText } from "../text/fitText.ts";
import { measureText } from "../text/measureText.ts";
import { cellFormats } from "../frame/cellFormats.ts";
import { totalsOf } from "../item/totalsOf.ts";

const rowHeight = 26;
const headerHeight = 28;
const narrowest = 56;
const widest = 240;
/** Shorter bars beside the numbers compare nothing. */
const leastBar = 36;

/** Draws rows: texts to the left, numbers to the right, as many as fit. The others are counted below. */
export function drawTable(frame: Frame): void {
  const columns = frame.columns.map((column, cell) => ({ ...column, cell }));
  const { totals, item } = frame.request;
  if (!totals && frame.rows.length > 0 && totalsOf(item)) frame.notes.push(frame.words.noTotals);
  drawGrid(frame, columns, frame.rows, totals);
}

/** Draws columns over rows of cells, with the totals above them; bars and colours in cells as the options say. */
export function drawGrid(
  frame: Frame,
  columns: readonly PlacedColumn[],
  rows: readonly (readonly ChartCell[])[],
  totals?: readonly ChartCell[],
): void {
  const { nodes, area, request, words } = frame;
  const { theme } = request;
  const above = headerHeight + (totals ? rowHeight : 0);
  const room = Math.max(0, Math.floor((area.height - above) / rowHeight));
  const isCut = rows.length > room;
  const shown = rows.slice(0, isCut ? Math.max(0, room - 1) : room);
  const formatOf = cellFormats(request.item, theme, request.colors);
  const wanted = columns.map((column) => formatOf(column).widthPx ?? widthOfTexts(column));
  const total = wanted.reduce((sum, width) => sum + width, 0);
  const least = columns.length * (narrowest + 20);
  const isShrinking = total <= area.width || least <= area.width;
  // Columns shrink or grow to the picture. The ones that still do not fit are named, and the others take its width.
  let fitting = 0;
  let taken = 0;
  while (fitting < columns.length) {
    const width = wanted[fitting] ?? 0;
    if (!isShrinking && fitting > 0 && taken + width > area.width) break;
    taken += width;
    fitting++;
  }
  if (fitting < columns.length) {
    const left = columns.slice(fitting).map(({ name }) => name);
    frame.notes.push(`${words.notShown}: ${left.join(", ")}`);
  }
  const share = area.width / (taken || 1);
  let x = area.x;
  const placed = columns.slice(0, fitting).map((column, index) => {
    const width = (wanted[index] ?? 0) * share;
    x += width;
    return { column, x: x - width, width };
  });

  const end = Math.max(x, area.x);
  const top = area.y + above;
  for (const { column, x: left, width } of placed) {
    const isRight = column.isNumeric;
    const at = isRight ? left + width - 10 : left + 4;
    const anchor = isRight ? "end" : "start";
    const header = fitText(column.name, width - 14, 12, 600);
    nodes.push(text(at, area.y + 18, header, { fill: theme.muted, weight: 600, anchor }));
    if (totals) {
      const written = totalText(column);
      const style = { fill: theme.text, size: 13, weight: 600, anchor } as const;
      nodes.push({
        ...text(at, top - rowHeight + 17, fitText(written, width - 14, 13, 600), style),
        ...(totals[column.cell] !== null && {
          mark: markOf(undefined, words.total, column.name, written),
        }),
      });
    }
    const { barColor, paint, fullBar, isTextHidden } = formatOf(column);
    const most =
      barColor === undefined ? 0 : fullBar(rows.map((row) => column.number(row[column.cell])));
    const numbers =
      most > 0
        ? Math.max(0, ...shown.map((row) => measureText(column.text(row[column.cell]), 13)))
        : 0;
    // Beside the numbers where there is room, else behind them.
    const isBeside = width - 24 - numbers >= leastBar;
    const longestBar = width - (isBeside ? 24 + numbers : 14);
    for (const [index, row] of shown.entries()) {
      const cell = row[column.cell];
      const written = column.text(cell);
      const y = top + index * rowHeight;
      const value = column.number(cell);
      if (barColor !== undefined && most > 0 && value !== null)
        nodes.push(
          rect(left + 4, y + 4, longestBar * Math.min(1, Math.abs(value) / most), rowHeight - 8, {
            fill: value < 0 ? theme.negative : barColor,
            opacity: isBeside ? 0.55 : 0.18,
            radius: 2,
          }),
        );
      const painted = paint(cell);
      const fitted = isTextHidden ? "" : fitText(written, width - 14, 13);
      if (painted?.on === "background")
        nodes.push(rect(left, y, width, rowHeight, { fill: painted.fill }));
      if (painted?.on === "badge") {
        const badge = measureText(fitted, 13) + 12;
        const from = isRight ? at - badge + 6 : at - 4;
        nodes.push(rect(from, y + 4, badge, rowHeight - 8, { fill: painted.fill, radius: 9 }));
      }
      const usual = cell === null || cell === undefined ? theme.muted : theme.text;
      // A cell without a text keeps its mark, which says its value.
      nodes.push({
        ...text(painted?.on === "badge" && !isRight ? at + 2 : at, y + 17, fitted, {
          fill: painted?.text ?? usual,
          size: 13,
          anchor,
        }),
        mark: markOf(index, "", column.name, written),
      });
    }
  }
  nodes.push(line([area.x, top], [end, top], { stroke: theme.axis }));
  if (totals)
    nodes.push(line([area.x, top - rowHeight], [end, top - rowHeight], { stroke: theme.grid }));
  for (let index = 1; index <= shown.length; index++)
    nodes.push(
      line([area.x, top + index * rowHeight], [end, top + index * rowHeight], {
        stroke: theme.grid,
      }),
    );
  if (isCut) {
    const rest = new Intl.NumberFormat(request.localeId).format(rows.length - shown.length);
    const y = top + shown.length * rowHeight + 17;
    nodes.push(text(area.x + 4, y, `+ ${rest} ${words.moreRows}`, { fill: theme.muted }));
    frame.shownNotes.push(`+ ${rest} ${words.moreRows}`);
  }

  function widthOfTexts(column: PlacedColumn): number {
    const texts = shown.map((row) => measureText(column.text(row[column.cell]), 13));
    const total = totals ? measureText(totalText(column), 13, 600) : 0;
    const most = Math.max(narrowest, measureText(column.name, 12, 600), total, ...texts) + 20;
    return Math.min(widest, most);
  }

  /** The first column without a total names the row. */
  function totalText(column: PlacedColumn): string {
    const cell = totals?.[column.cell] ?? null;
    if (cell !== null) return column.text(cell);
    return column.cell === totals?.findIndex((each) => each === null) ? words.total : "";
  }
}
