import { valueAxis } from "../axes/valueAxis.ts";
import { drawLegend } from "../frame/drawLegend.ts";
import { columnsIn, markOf, type Frame } from "../frame/frame.ts";
import { circle, line, path, text } from "../frame/nodes.ts";
import { optionNumber } from "../frame/optionNumber.ts";
import { pivotRows } from "../frame/pivotRows.ts";
import { listOf } from "../item/readItem.ts";
import { fitText } from "../text/fitText.ts";
import { noteLeftOut } from "./noteLeftOut.ts";
import { ringPath } from "./ringPath.ts";

/** More axes would be too close to each other. */
const mostAxes = 36;

/** Draws a closed line per series around a middle, with an axis for each category. */
export function drawRadar(frame: Frame): void {
  const { nodes, request } = frame;
  const { theme, item, localeId } = request;
  const { options } = item;
  const [other] = columnsIn(frame, "legend");
  const { category, categories, series } = pivotRows(frame, {
    category: "category",
    legend: other ? "legend" : "color",
  });
  const [measure] = columnsIn(frame, "measure");
  if (!measure || categories.length === 0) return;
  if (series.length > 1) drawLegend(frame, series);
  const shown = categories.slice(0, mostAxes);
  const left = series.flatMap((each) => each.rows.slice(mostAxes));
  noteLeftOut(frame, "withoutRoom", left.filter((row) => row !== undefined).length);
  const { area } = frame;
  const radius = Math.max(12, Math.min((area.width - 120) / 2, (area.height - 40) / 2));
  const [x, y] = [area.x + area.width / 2, area.y + area.height / 2];
  const range = options.manualAxes === true ? listOf(options.manualAxesRange) : [];
  const [low, high] = range;
  const axis = valueAxis(
    series.flatMap(({ values }) => values.filter((value) => value !== null)),
    {
      length: radius * 1.6,
      fromZero: true,
      style: measure.field,
      localeId,
      ...(typeof low === "number" &&
        typeof high === "number" && {
          look: { density: 1, logBase: undefined, range: [low, high], isVariable: false },
        }),
    },
  );
  const angleOf = (index: number) => (index / shown.length) * 2 * Math.PI;
  const pointAt = (index: number, share: number): [number, number] => [
    x + Math.sin(angleOf(index)) * radius * share,
    y - Math.cos(angleOf(index)) * radius * share,
  ];
  const isRound = options.interpolation === "rounded";
  for (const tick of axis.ticks) {
    const share = axis.at(tick);
    if (share === 0) continue;
    const corners = shown.map((_, index) => pointAt(index, share));
    nodes.push(
      path(ringPath(corners, false), {
        stroke: tick === 0 ? theme.axis : theme.grid,
        strokeWidth: 1,
      }),
    );
  }
  for (const index of shown.keys())
    nodes.push(line([x, y], pointAt(index, 1), { stroke: theme.grid }));
  const fillOpacity = optionNumber(options.fillOpacity, { least: 0, most: 1, otherwise: 0.05 });
  const size = optionNumber(options.pointSize, { least: 0, most: 20, otherwise: 3 });
  for (const { color, values } of series) {
    // A category without a value is a gap in the outline, which then has no inside.
    const known = shown.flatMap((_, index) => {
      const value = values[index] ?? null;
      return value === null ? [] : [pointAt(index, axis.at(value))];
    });
    if (known.length > 1) {
      const d = ringPath(known, isRound);
      if (fillOpacity > 0) nodes.push(path(d, { fill: color, opacity: fillOpacity }));
      nodes.push(path(d, { stroke: color, strokeWidth: 2 }));
    }
  }
  const empty: string[] = [];
  for (const { name, color, values, rows } of series)
    for (const [index, cell] of shown.entries()) {
      const value = values[index] ?? null;
      const label = category ? category.text(cell) : "";
      if (value === null) {
        if (rows[index] !== undefined) empty.push(label);
        continue;
      }
      nodes.push(
        circle(...pointAt(index, axis.at(value)), size, {
          fill: color,
          mark: markOf(rows[index], label, series.length > 1 ? name : "", measure.text(value)),
        }),
      );
    }
  noteLeftOut(frame, "withoutValue", empty.length, empty);
  for (const tick of axis.ticks)
    if (axis.at(tick) > 0)
      nodes.push(
        text(x + 4, y - axis.at(tick) * radius + 12, axis.format(tick), {
          fill: theme.muted,
          size: 10,
        }),
      );
  const step = Math.max(1, Math.ceil((shown.length * 13) / (2 * Math.PI * (radius + 14))));
  for (const [index, cell] of shown.entries()) {
    if (index % step !== 0) continue;
    const sine = Math.sin(angleOf(index));
    const [across, down] = pointAt(index, 1 + 12 / radius);
    const anchor = Math.abs(sine) < 0.1 ? "middle" : sine > 0 ? "start" : "end";
    const room =
      anchor === "middle"
        ? area.width / 2
        : anchor === "start"
          ? area.x + area.width - across
          : across - area.x;
    const below = -Math.cos(angleOf(index)) * -1 < -0.9 ? 8 : 4;
    nodes.push(
      text(across, down + below, fitText(category ? category.text(cell) : "", room, 12), {
        fill: theme.text,
        anchor,
      }),
    );
  }
}
