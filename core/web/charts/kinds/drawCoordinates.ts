import { valueAxis } from "../axes/valueAxis.ts";
import type { ChartCell } from "../answer/chartRequest.ts";
import { drawLegend } from "../frame/drawLegend.ts";
import { columnsIn, markOf, type Frame, type PlacedColumn } from "../frame/frame.ts";
import { line, path, rect, text } from "../frame/nodes.ts";
import { fitText } from "../text/fitText.ts";
import { measureText } from "../text/measureText.ts";
import { noteLeftOut } from "./noteLeftOut.ts";

/** The most rows of a picture. More lines would cover each other. */
const mostRows = 2_000;

interface Axis {
  readonly column: PlacedColumn;
  readonly ticks: readonly { readonly share: number; readonly label: string }[];
  /** Returns the position of a cell from 0 at the bottom to 1 at the top; undefined for a missing value. */
  at(cell: ChartCell | undefined): number | undefined;
}

/** Draws a vertical axis per column and a line per row that crosses each axis at the row's value. */
export function drawCoordinates(frame: Frame): void {
  const { nodes, request, rows } = frame;
  const { theme, colors } = request;
  const columns = columnsIn(frame, "coordinates");
  const [color] = columnsIn(frame, "color");
  if (columns.length === 0) return;
  const shown = rows.slice(0, mostRows);
  noteLeftOut(frame, "withoutRoom", rows.length - shown.length);
  const colorOf = (row: readonly ChartCell[]) => {
    const cell = color && row[color.cell];
    return color
      ? colors.of(color.field.columnId ?? "", color.key(cell), color.color(cell))
      : (theme.series[0] ?? "");
  };
  if (color) {
    const entries = new Map(
      shown.map((row) => [
        color.key(row[color.cell]),
        { name: color.text(row[color.cell]), color: colorOf(row) },
      ]),
    );
    drawLegend(frame, [...entries.values()]);
  }
  const { area } = frame;
  const side = Math.min(52, area.width / 8);
  const plot = {
    x: area.x + side,
    y: area.y + 24,
    width: Math.max(1, area.width - 2 * side),
    height: Math.max(1, area.height - 36),
  };
  const axes = columns.map((column) => axisOf(frame, column, plot.height));
  const gap = axes.length > 1 ? plot.width / (axes.length - 1) : 0;
  const x = (index: number) => plot.x + (axes.length > 1 ? index * gap : plot.width / 2);
  const at = (value: number) => Math.round(value * 100) / 100;
  const opacity = shown.length > 400 ? 0.2 : shown.length > 60 ? 0.45 : 0.75;
  const empty: string[] = [];
  for (const [index, row] of shown.entries()) {
    let d = "";
    let isPen = false;
    for (const [place, axis] of axes.entries()) {
      const share = axis.at(row[axis.column.cell]);
      if (share === undefined) {
        isPen = false;
        continue;
      }
      const point = `${at(x(place))},${at(plot.y + (1 - share) * plot.height)}`;
      // A value between two missing ones is a short dash.
      const next = axes[place + 1];
      const isAlone = !isPen && (!next || next.at(row[next.column.cell]) === undefined);
      d += isPen ? `L${point}` : `M${point}${isAlone ? "h4" : ""}`;
      isPen = true;
    }
    const name = color ? color.text(row[color.cell]) : "";
    const value = columns.map((column) => `${column.name}: ${column.text(row[column.cell])}`);
    if (d === "") {
      empty.push(name);
      continue;
    }
    const mark = markOf(index, name, "", value.join("; "));
    nodes.push(path(absolute(d), { stroke: colorOf(row), strokeWidth: 1.5, opacity, mark }));
  }
  noteLeftOut(frame, "withoutValue", empty.length);
  for (const [place, axis] of axes.entries()) {
    nodes.push(
      line([x(place), plot.y], [x(place), plot.y + plot.height], {
        stroke: theme.axis,
        strokeWidth: 1.25,
      }),
    );
    const isLast = place === axes.length - 1 && axes.length > 1;
    const isFirst = place === 0;
    const room = isFirst || isLast ? side + gap / 2 : gap - 8;
    const anchor = "middle";
    const middle = Math.max(area.x + room / 2, Math.min(area.x + area.width - room / 2, x(place)));
    nodes.push(
      text(
        axes.length > 1 ? (isFirst || isLast ? x(place) : middle) : x(place),
        area.y + 12,
        fitText(axis.column.name, isFirst || isLast ? side * 2 : room, 12, 600),
        {
          fill: theme.text,
          weight: 600,
          anchor,
        },
      ),
    );
    for (const { share, label } of axis.ticks) {
      const shown = fitText(label, (isFirst || isLast ? side : gap * 0.6) - 8, 11);
      const wide = measureText(shown, 11);
      const [at, down] = [x(place) + (isLast ? 6 : -6), plot.y + (1 - share) * plot.height];
      // Lines pass below the labels.
      nodes.push(
        rect(isLast ? at - 2 : at + 2, down - 7, isLast ? wide + 4 : -wide - 4, 14, {
          fill: theme.background,
          opacity: 0.75,
        }),
      );
      nodes.push(
        text(at, down + 4, shown, {
          fill: theme.muted,
          size: 11,
          anchor: isLast ? "start" : "end",
        }),
      );
    }
  }
}

/** Writes a short dash with absolute coordinates, as scenes need. */
function absolute(d: string): string {
  return d.replaceAll(
    /M(-?[\d.]+),(-?[\d.]+)h4/g,
    (_, x: string, y: string) => `M${Number(x) - 2},${y}L${Number(x) + 2},${y}`,
  );
}

function axisOf({ rows, request }: Frame, column: PlacedColumn, length: number): Axis {
  if (column.isNumeric) {
    const values = rows.flatMap((row) => column.number(row[column.cell]) ?? []);
    const { localeId } = request;
    const axis = valueAxis(values, { length, fromZero: false, style: column.field, localeId });
    return {
      column,
      ticks: axis.ticks.map((tick) => ({ share: axis.at(tick), label: axis.format(tick) })),
      at(cell) {
        const value = column.number(cell);
        return value === null ? undefined : axis.at(value);
      },
    };
  }
  const cells = new Map<string, ChartCell>();
  for (const row of rows) {
    const cell = row[column.cell];
    if (cell !== null && cell !== undefined) cells.set(column.key(cell), cell);
  }
  const known = [...cells];
  if (column.isDatetime)
    known.sort(([, one], [, other]) => (column.wallMs(one) ?? 0) - (column.wallMs(other) ?? 0));
  const places = new Map(known.map(([key], index) => [key, index]));
  const shareOf = (index: number) => 1 - (index + 0.5) / known.length;
  const step = Math.max(1, Math.ceil((known.length * 14) / length));
  return {
    column,
    ticks: known.flatMap(([, cell], index) =>
      index % step === 0 ? [{ share: shareOf(index), label: column.text(cell) }] : [],
    ),
    at(cell) {
      const place = places.get(column.key(cell));
      return place === undefined ? undefined : shareOf(place);
    },
  };
}
