import { arc } from "d3-shape";
import { colorIn, colorRanges } from "../color/colorRanges.ts";
import { readColor } from "../color/readColor.ts";
import { numberIn } from "../item/numberIn.ts";
import { objectOf } from "../item/readItem.ts";
import { columnsIn, markOf, type Frame } from "../frame/frame.ts";
import { path, text } from "../frame/nodes.ts";
import { fitText } from "../text/fitText.ts";
import { numberFormat } from "../format/numberFormats.ts";
import { moved } from "./moved.ts";

/** Draws a value as a share of its target: an arc from left to right, with the value below it. */
export function drawGauge(frame: Frame): void {
  const { nodes, request, area, rows, words } = frame;
  const { theme, item, localeId } = request;
  const [measure] = columnsIn(frame, "measure");
  const [target] = columnsIn(frame, "target");
  if (!measure) return;
  const value = measure.number(rows[0]?.[measure.cell]);
  const { options } = item;
  const circle = objectOf<"manualValues" | "color" | "background" | "width">(options.circle);
  const manual = objectOf<"target" | "conditional" | "ranges">(options.manualValues);
  const display = objectOf<"gaugeValue" | "gaugeLabel">(options.display);
  const stored = objectOf<"target">(circle.manualValues).target ?? manual.target;
  const goal = target
    ? target.number(rows[0]?.[target.cell])
    : typeof stored === "number"
      ? stored
      : null;
  const end = goal ?? Math.max(1, Math.abs(value ?? 0));
  const share = value === null || end === 0 ? 0 : Math.max(0, Math.min(1, value / end));
  const radius = Math.max(20, Math.min(area.width / 2, area.height - 34, 180));
  const [x, y] = [area.x + area.width / 2, area.y + Math.min(area.height - 30, radius + 4)];
  const thickness = numberIn(circle.width, 1, radius);
  const band = (from: number, to: number) =>
    moved(
      arc<null>()
        .innerRadius(thickness === undefined ? radius * 0.76 : radius - thickness)
        .outerRadius(radius)
        .startAngle(-Math.PI / 2 + Math.PI * from)
        .endAngle(-Math.PI / 2 + Math.PI * to)
        .digits(2)(null) ?? "",
      x,
      y,
    );
  const percent = numberFormat({ format: ".0%" }, localeId);
  const part = end === 0 ? 0 : (value ?? 0) / end;
  const shown =
    value === null || goal === null
      ? measure.text(value)
      : options.mode === "percentage"
        ? percent(part)
        : options.mode === "difference"
          ? measure.text(value - goal)
          : measure.text(value);
  const ranges = colorRanges(
    item.type === "speedometer-chart" ? manual.ranges : manual.conditional,
    theme.background,
  );
  const color =
    colorIn(ranges, value) ?? readColor(circle.color, theme.background) ?? theme.series[0] ?? "";
  const rest = readColor(circle.background, theme.background) ?? theme.grid;
  nodes.push(path(band(0, 1), { fill: rest }));
  nodes.push(
    path(band(0, share), { fill: color, mark: markOf(0, "", measure.name, measure.text(value)) }),
  );
  const size = Math.max(16, Math.min(36, radius / 3.2));
  const written = fitText(shown, radius * 1.4, size, 600);
  if (display.gaugeValue !== false)
    nodes.push(text(x, y - 2, written, { fill: theme.text, size, weight: 600, anchor: "middle" }));
  if (goal === null || display.gaugeLabel === false) return;
  const of = `${percent(part)} · ${target?.name ?? words.target}: ${(target ?? measure).text(goal)}`;
  nodes.push(
    text(x, y + 22, fitText(of, area.width, 13), { fill: theme.muted, size: 13, anchor: "middle" }),
  );
}
