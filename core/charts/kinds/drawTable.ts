import type { ChartCell } from "../answer/chartRequest.ts";
import { markOf, type Frame, type PlacedColumn } from "../frame/frame.ts";
import { line, rect, text } from "../frame/nodes.ts";
import { fitText } from "../text/fitText.ts";
import { measureText } from "../text/measureText.ts";
import { objectOf } from "../item/readItem.ts";

const rowHeight = 26;
const headerHeight = 28;
const narrowest = 56;
const widest = 240;
/** Shorter bars beside the numbers compare nothing. */
const leastBar = 36;

/** Draws rows: texts to the left, numbers to the right, as many as fit. The others are counted below. */
export function drawTable(frame: Frame): void {
  const columns = frame.columns.map((column, cell) => ({ ...column, cell }));
  drawGrid(frame, columns, frame.rows);
}

/** Draws columns over rows of cells, with bars in the cells of numbers where the options ask for them. */
export function drawGrid(
  frame: Frame,
  columns: readonly PlacedColumn[],
  rows: readonly (readonly ChartCell[])[],
): void {
  const { nodes, area, request, words } = frame;
  const { theme } = request;
  const room = Math.max(0, Math.floor((area.height - headerHeight) / rowHeight));
  const isCut = rows.length > room;
  const shown = rows.slice(0, isCut ? Math.max(0, room - 1) : room);
  const wanted = columns.map((column) =>
    Math.min(
      widest,
      Math.max(
        narrowest,
        measureText(column.name, 12, 600),
        ...shown.map((row) => measureText(column.text(row[column.cell]), 13)),
      ) + 20,
    ),
  );
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
  const top = area.y + headerHeight;
  const bars = objectOf(request.item.options["cells"])["bars"] === true;
  for (const { column, x: left, width } of placed) {
    const isRight = column.isNumeric;
    const at = isRight ? left + width - 10 : left + 4;
    const anchor = isRight ? "end" : "start";
    const header = fitText(column.name, width - 14, 12, 600);
    nodes.push(text(at, area.y + 18, header, { fill: theme.muted, weight: 600, anchor }));
    let most = 0;
    if (bars && isRight)
      for (const row of rows) most = Math.max(most, Math.abs(column.number(row[column.cell]) ?? 0));
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
      if (most > 0 && value !== null)
        nodes.push(
          rect(left + 4, y + 4, (longestBar * Math.abs(value)) / most, rowHeight - 8, {
            fill: value < 0 ? theme.negative : (theme.series[0] ?? ""),
            opacity: isBeside ? 0.55 : 0.18,
            radius: 2,
          }),
        );
      nodes.push({
        ...text(at, y + 17, fitText(written, width - 14, 13), {
          fill: cell === null || cell === undefined ? theme.muted : theme.text,
          size: 13,
          anchor,
        }),
        mark: markOf(index, "", column.name, written),
      });
    }
  }
  nodes.push(line([area.x, top], [end, top], { stroke: theme.axis }));
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
}
