import { ascending, quantileSorted } from "d3-array";
import { drawCategories } from "../axes/drawCategories.ts";
import { axisWidth, drawValueAxis } from "../axes/drawValueAxis.ts";
import { valueAxis } from "../axes/valueAxis.ts";
import { readColor } from "../color/readColor.ts";
import { numberIn } from "../item/numberIn.ts";
import { columnsIn, markOf, type Frame } from "../frame/frame.ts";
import { circle, line, rect } from "../frame/nodes.ts";
import { cutSentence } from "../frame/sayCut.ts";

/** Maximum number of outliers drawn per box. More dots would cover each other. */
const outlierCount = 60;

/**
 * Draws a box plot for each category: the quartiles, whiskers to the last values within 1.5 times the interquartile
 * range (Tukey), and the outliers. Strip plots show every value as a dot.
 */
export function drawBoxes(frame: Frame): void {
  const { nodes, request, area, rows } = frame;
  const { theme, item, localeId } = request;
  const isStrip = item.type === "strip-plot";
  const [category] = columnsIn(frame, "category", "y-axis");
  const [measure] = columnsIn(frame, "measure");
  if (!measure) return;
  const groups = new Map<string, { name: string; values: number[] }>();
  for (const row of rows) {
    const value = measure.number(row[measure.cell]);
    if (value === null) continue;
    const key = category ? category.key(row[category.cell]) : "";
    const group = groups.get(key) ?? {
      name: category ? category.text(row[category.cell]) : "",
      values: [],
    };
    group.values.push(value);
    groups.set(key, group);
  }
  const boxes = [...groups.values()].slice(0, Math.max(1, Math.floor(area.width / 16)));
  if (boxes.length < groups.size) {
    const cut = { name: category?.name ?? "", shown: boxes.length, count: groups.size };
    frame.notes.push(cutSentence(frame, cut));
  }
  const axis = valueAxis(
    boxes.flatMap(({ values }) => values),
    { length: area.height - 24, fromZero: false, style: measure.field, localeId },
  );
  if (axis.low > 0) frame.notes.push(frame.words.notFromZero);
  const left = axisWidth(axis);
  const plot = {
    x: area.x + left,
    y: area.y + 6,
    width: area.width - left,
    height: area.height - 30,
  };
  drawValueAxis(frame, axis, plot);
  const band = plot.width / Math.max(1, boxes.length);
  const look = boxLook(frame);
  const wide = look.width === undefined ? Math.min(56, band * 0.6) : band * look.width;
  const y = (value: number) => plot.y + (1 - axis.at(value)) * plot.height;
  const { color } = look;
  for (const [index, { name, values }] of boxes.entries()) {
    const middle = plot.x + (index + 0.5) * band;
    values.sort(ascending);
    if (isStrip) {
      for (const value of values)
        nodes.push(
          circle(middle, y(value), 3, {
            fill: color,
            opacity: 0.35,
            mark: markOf(undefined, name, "", measure.text(value)),
          }),
        );
      continue;
    }
    const quantile = (share: number) => quantileSorted(values, share) ?? 0;
    const [first, median, third] = [quantile(0.25), quantile(0.5), quantile(0.75)];
    const reach = 1.5 * (third - first);
    const low = values.find((value) => value >= first - reach) ?? first;
    const high = values.findLast((value) => value <= third + reach) ?? third;
    const five = [low, first, median, third, high].map((value) => measure.text(value)).join(" · ");
    nodes.push(line([middle, y(low)], [middle, y(high)], { stroke: theme.axis, strokeWidth: 1.5 }));
    nodes.push(
      rect(middle - wide / 2, y(third), wide, Math.max(1, y(first) - y(third)), {
        fill: color,
        ...(look.stroke !== undefined && {
          stroke: look.stroke,
          strokeWidth: look.strokeWidth,
        }),
        opacity: 0.85,
        radius: look.radius,
        mark: markOf(undefined, name, "", five),
      }),
    );
    nodes.push(
      line([middle - wide / 2, y(median)], [middle + wide / 2, y(median)], {
        stroke: look.medianStroke,
        strokeWidth: look.medianWidth,
      }),
    );
    const beyond = values.filter((value) => value < low || value > high);
    const every = Math.max(1, Math.ceil(beyond.length / outlierCount));
    for (const [number, value] of beyond.entries())
      if (number % every === 0 || number === beyond.length - 1)
        nodes.push(
          circle(middle, y(value), 2.5, {
            stroke: color,
            strokeWidth: 1,
            mark: markOf(undefined, name, "", measure.text(value)),
          }),
        );
  }
  drawCategories(
    frame,
    boxes.map(({ name }, index) => ({ at: plot.x + (index + 0.5) * band, label: name })),
    plot,
    { longest: Math.max(40, band - 6) },
  );
}

/** Reads the look of boxes from the options of the item. */
function boxLook({ request: { item, theme } }: Frame) {
  const { options } = item;
  const colorIn = (value: unknown) => readColor(value, theme.background);
  const strokeWidth = numberIn(options.boxStrokeWidth, 0, 5);
  const stroke = colorIn(options.boxStrokeColor);
  return {
    width: numberIn(options.boxWidth, 0.1, 1),
    color: colorIn(options.boxFill) ?? theme.series[0] ?? "",
    radius: numberIn(options.roundedCorners, 0, 24) ?? 2,
    stroke: strokeWidth === 0 ? undefined : (stroke ?? (strokeWidth && theme.axis)) || undefined,
    strokeWidth: strokeWidth ?? 1,
    medianStroke: colorIn(options.medianStrokeColor) ?? theme.background,
    medianWidth: numberIn(options.medianStrokeWidth, 0, 5) ?? 2,
  };
}
