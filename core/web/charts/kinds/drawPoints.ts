import { axisLook } from "../axes/axisLook.ts";
import { drawGuidelines, readGuidelines } from "../axes/drawGuidelines.ts";
import { labelPoints } from "../axes/labelPoints.ts";
import { noteAxis } from "../axes/noteAxis.ts";
import { drawValueAxis, axisWidth } from "../axes/drawValueAxis.ts";
import { valueAxis, type ValueAxis } from "../axes/valueAxis.ts";
import { drawLegend } from "../frame/drawLegend.ts";
import { readColor } from "../color/readColor.ts";
import { columnsIn, markOf, type Frame } from "../frame/frame.ts";
import { circle, text } from "../frame/nodes.ts";
import { valueColors } from "../frame/valueColors.ts";
import { countText } from "../frame/sayCut.ts";
import { fillIn } from "../words/templates.ts";
import { fitText } from "../text/fitText.ts";

/** Draws rows as points at two measures. A third measure sets their size, and a category sets their colour. */
export function drawPoints(frame: Frame): void {
  const { nodes, request, rows } = frame;
  const { theme, localeId } = request;
  const [across] = columnsIn(frame, "x-axis");
  const [up] = columnsIn(frame, "y-axis");
  const [size] = columnsIn(frame, "size");
  const [color] = columnsIn(frame, "color");
  const names = columnsIn(frame, "name");
  if (!across || !up) return;
  const main = readColor(request.item.options.color, theme.background) ?? theme.series[0] ?? "";
  const colorOf = color && valueColors(frame, color);
  const points = rows.flatMap((row, index) => {
    const [x, y] = [across.number(row[across.cell]), up.number(row[up.cell])];
    const weight = size ? (size.number(row[size.cell]) ?? 0) : 1;
    if (x === null || y === null || weight < 0) return [];
    const cell = color && row[color.cell];
    const fill = color ? (colorOf?.(cell) ?? "") : main;
    const name = names.map((each) => each.text(row[each.cell])).join(frame.words.comma);
    return [{ index, x, y, weight, fill, name, series: color ? color.text(cell) : "" }];
  });
  if (points.length < rows.length) {
    const count = countText(frame, rows.length - points.length);
    frame.notes.push(fillIn(frame.words.withoutPlace, { count }));
  }
  if (color) {
    const entries = new Map(
      points.map(({ series, fill }) => [series, { name: series, color: fill }]),
    );
    drawLegend(frame, [...entries.values()]);
  }
  const { area } = frame;
  const looks = { x: axisLook(frame, "x", "values"), y: axisLook(frame, "y", "values") };
  const [acrossValues, upValues] = [points.map(({ x }) => x), points.map(({ y }) => y)];
  const usual = { fromZero: false, localeId };
  const upright = valueAxis(upValues, {
    ...usual,
    length: area.height - 64,
    style: up.field,
    look: looks.y,
  });
  const left = axisWidth(upright, looks.y);
  const plot = {
    x: area.x + left,
    y: area.y + 20,
    width: area.width - left - 12,
    height: area.height - 64,
  };
  const lying = valueAxis(acrossValues, {
    ...usual,
    length: plot.width / 1.6,
    style: across.field,
    look: looks.x,
  });
  noteAxis(frame, upright, { look: looks.y, values: upValues, mayLackZero: true });
  noteAxis(frame, lying, { look: looks.x, values: acrossValues, mayLackZero: true });
  drawValueAxis(frame, upright, plot, { look: looks.y });
  drawValueAxis(frame, lying, plot, { side: "bottom", look: looks.x });
  nodes.push(
    text(area.x, area.y + 8, fitText(`↑ ${up.name}`, area.width, 12), { fill: theme.muted }),
  );
  nodes.push(
    text(plot.x + plot.width, plot.y + plot.height + 36, fitText(across.name, area.width, 12), {
      fill: theme.muted,
      anchor: "end",
    }),
  );
  const most = Math.max(1e-300, ...points.slice(0, 100_000).map(({ weight }) => weight));
  // The area of a point, not its radius, is proportional to its size.
  const radius = (weight: number) =>
    size ? 2 + 20 * Math.sqrt(weight / most) : points.length > 500 ? 2.5 : 4;
  // A point beyond an axis would be drawn at a value that it does not have.
  const isOn = ({ low, high }: ValueAxis, value: number) => value >= low && value <= high;
  const within = points.filter(({ x, y }) => isOn(lying, x) && isOn(upright, y));
  const placed = within.map((point) => ({
    ...point,
    at: {
      x: plot.x + lying.at(point.x) * plot.width,
      y: plot.y + (1 - upright.at(point.y)) * plot.height,
      radius: radius(point.weight),
      name: point.name,
    },
  }));
  // Large points are drawn first, so that small ones stay visible.
  for (const { index, x, y, weight, fill, name, series, at } of placed.toSorted(
    (one, other) => other.weight - one.weight,
  ))
    nodes.push(
      circle(at.x, at.y, at.radius, {
        fill,
        opacity: points.length > 500 ? 0.4 : 0.65,
        mark: markOf(
          index,
          name,
          series,
          `${across.text(x)}; ${up.text(y)}${size ? `; ${size.text(weight)}` : ""}`,
        ),
      }),
    );
  drawGuidelines(frame, readGuidelines(frame, upValues), {
    axis: upright,
    plot,
    isUpright: true,
    write: upright.format,
  });
  const namesWanted = Math.floor((plot.width * plot.height) / 12_000);
  for (const { x, y, name, anchor } of labelPoints(
    placed.map(({ at }) => at),
    plot,
    Math.min(12, namesWanted),
  ))
    nodes.push(text(x, y, name, { fill: theme.text, anchor }));
}
