import { axisWidth, drawValueAxis } from "../axes/drawValueAxis.ts";
import { valueAxis } from "../axes/valueAxis.ts";
import { readColor } from "../color/readColor.ts";
import { columnsIn, markOf, type Frame } from "../frame/frame.ts";
import { rect, text } from "../frame/nodes.ts";
import { sayCut } from "../frame/sayCut.ts";
import { fitNames } from "../text/fitNames.ts";
import { measureText } from "../text/measureText.ts";

/** Draws a bar for each category, with a line across it at the target. */
export function drawBullets(frame: Frame): void {
  const { nodes, request, area, rows, words } = frame;
  const { theme, localeId } = request;
  const [category] = columnsIn(frame, "category");
  const [measure] = columnsIn(frame, "measure");
  const [target] = columnsIn(frame, "target");
  if (!measure) return;
  const color = readColor(request.item.options.color, theme.background) ?? theme.series[0] ?? "";
  const count = Math.max(1, Math.min(rows.length, Math.floor((area.height - 24) / 20)));
  if (count < rows.length) {
    const { leftOut } = request;
    const all = leftOut && !leftOut.all ? undefined : rows.length + (leftOut?.all?.count ?? 0);
    sayCut(frame, { name: category?.name ?? "", shown: count, count: all });
  }
  if (target) frame.subtitles.push(`| ${words.target}: ${target.name}`);
  const shown = rows.slice(0, count).map((row, index) => ({
    index,
    name: category ? category.text(row[category.cell]) : measure.name,
    value: measure.number(row[measure.cell]),
    goal: target ? target.number(row[target.cell]) : null,
  }));
  const values = shown
    .flatMap(({ value, goal }) => [value, goal])
    .filter((value) => value !== null);
  const axis = valueAxis(values, {
    length: area.width / 2,
    fromZero: true,
    style: measure.field,
    localeId,
  });
  const left =
    Math.min(area.width * 0.35, Math.max(...shown.map(({ name }) => measureText(name, 12)))) + 10;
  const step = Math.min(48, (area.height - 24) / count);
  const plot = {
    x: area.x + left,
    y: area.y,
    width: area.width - left - Math.min(20, axisWidth(axis)),
    height: step * count,
  };
  drawValueAxis(frame, axis, plot, { side: "bottom" });
  const zero = plot.x + axis.at(0) * plot.width;
  const names = fitNames(
    shown.map(({ name }) => name),
    left - 10,
    12,
  );
  for (const [line, { index, name, value, goal }] of shown.entries()) {
    const y = plot.y + index * step;
    const written =
      goal === null ? measure.text(value) : `${measure.text(value)} / ${target?.text(goal) ?? ""}`;
    if (value !== null)
      nodes.push(
        rect(zero, y + step * 0.25, plot.x + axis.at(value) * plot.width - zero, step * 0.5, {
          fill: color,
          mark: markOf(index, name, "", written),
        }),
      );
    if (goal !== null)
      nodes.push(
        rect(plot.x + axis.at(goal) * plot.width - 1.5, y + step * 0.12, 3, step * 0.76, {
          fill: theme.text,
        }),
      );
    nodes.push(
      text(plot.x - 10, y + step / 2 + 4, names[line] ?? "", {
        fill: theme.text,
        anchor: "end",
      }),
    );
  }
}
