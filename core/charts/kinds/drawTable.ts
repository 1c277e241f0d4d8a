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
  // Columns shrink or grow to the picture; columns that still do not fit are named.
  const shrunk = Math.min(1.6, area.width / total);
  const fitted =
    total <= area.width || least <= area.width ? wanted.map((width) => width * shrunk) : wanted;
  let x = area.x;
  const placed = columns.flatMap((column, index) => {
    const width = index === 0 ? Math.min(fitted[index] ?? 0, area.width) : (fitted[index] ?? 0);
    if (index > 0 && x + width > area.x + area.width + 1) return [];
    const at = { column, x, width };
    x += width;
    return [at];
  });
  if (placed.length < columns.length)
    frame.notes.push(
      columns
        .slice(placed.length)
        .map(({ name }) => name)
        .join(", "),
    );

  const end = Math.max(x, area.x);
  const top = area.y + headerHeight;
  const bars = objectOf(request.item.options["cells"])["bars"] === true;
  for (const { column, x: left, width } of placed) {
    const isRight = column.isNumeric;
    const at = isRight ? left + width - 10 : left + 4;
    const anchor = isRight ? "end" : "start";
    const header = fitText(column.name, width - 14, 12, 600);
    nodes.push(text(at, area.y + 18, header, { fill: theme.muted, weight: 600, anchor }));
    const most =
      bars && isRight
        ? Math.max(0, ...rows.map((row) => Math.abs(column.number(row[column.cell]) ?? 0)))
        : 0;
    for (const [index, row] of shown.entries()) {
      const cell = row[column.cell];
      const written = column.text(cell);
      const y = top + index * rowHeight;
      const value = column.number(cell);
      if (most > 0 && value !== null)
        nodes.push(
          rect(left + 4, y + 4, ((width - 14) * Math.abs(value)) / most, rowHeight - 8, {
            fill: value < 0 ? theme.negative : (theme.series[0] ?? ""),
            opacity: 0.18,
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
    frame.notes.push(`+ ${rest} ${words.moreRows}`);
  }
}
