import { drawCategories, type CategoryLabel } from "../axes/drawCategories.ts";
import { drawCategoryGrid } from "../axes/drawCategoryGrid.ts";
import { drawGuidelines } from "../axes/drawGuidelines.ts";
import { drawValueAxis } from "../axes/drawValueAxis.ts";
import { labelTimes } from "../axes/labelTimes.ts";
import { spreadLabels } from "../axes/placeLabels.ts";
import { numberFormat } from "../format/numberFormats.ts";
import { areaPath, linePath } from "../frame/linePath.ts";
import { boxOf, drawLegend, isHiddenSeries } from "../frame/drawLegend.ts";
import { markOf, type Frame } from "../frame/frame.ts";
import { circle, path, rect, text } from "../frame/nodes.ts";
import { pivotRows, type PivotedRows, type Series } from "../frame/pivotRows.ts";
import { objectOf } from "../item/readItem.ts";
import { fitText } from "../text/fitText.ts";
import { measureText } from "../text/measureText.ts";
import { unfinishedOpacity } from "./isUnfinished.ts";
import { layLines, type LaidLines } from "./layLines.ts";
import { lineLooks } from "./lineLooks.ts";
import type { LinePoint } from "./pointsOf.ts";

/** Maximum number of series whose names are written at the ends of their lines instead of in a legend. */
const directCount = 4;

/** Draws lines or areas over time or categories. Missing periods leave gaps, and isolated values become dots. */
export function drawLines(frame: Frame): void {
  drawSeries(frame, pivotRows(frame, { category: "x-axis", legend: "legend" }));
}

/** Draws a combination chart: each measure as bars, a line, an area or dots, on one of two axes. */
export function drawCombination(frame: Frame): void {
  drawSeries(frame, pivotRows(frame, { category: "x-axis" }));
}

function drawSeries(frame: Frame, pivoted: PivotedRows): void {
  const { options } = frame.request.item;
  const looks = lineLooks(frame, pivoted.series);
  const { series } = pivoted;
  const isDirect =
    series.length > 1 &&
    series.length <= directCount &&
    looks.every(({ shape }) => shape !== "bar") &&
    objectOf<"position">(options.legend).position === undefined &&
    objectOf<"legend">(options.display).legend !== false &&
    frame.area.width > 420;
  if (series.length > 1 && !isDirect)
    drawLegend(
      frame,
      series.map((one, index) => ({ ...one, color: looks[index]?.color ?? one.color })),
    );
  const { area } = frame;
  const laid = layLines(frame, pivoted, isDirect);
  const { axis, axisLooks, other, plot, titles } = laid;
  const labels = labelsOf(frame, laid);
  // The numbers along a stream are distances from its middle, and measure nothing.
  if (laid.stacking !== "stream") drawValueAxis(frame, axis, plot, { look: axisLooks.y });
  if (other) {
    drawValueAxis(frame, other, plot, { side: "right", look: axisLooks.y2 });
    if (titles.left + titles.right === 0) nameAxes(frame, laid);
  }
  const marked = laid.scale ? labels.map(({ at }) => at) : laid.places.map(({ at }) => laid.x(at));
  drawCategoryGrid(frame, axisLooks.x, marked, { plot, isUpright: true });
  for (const [index, one] of laid.series.entries()) {
    if (isHiddenSeries(frame, one.id)) continue;
    if (laid.looks[index]?.shape === "bar") paintBars(frame, laid, one, index);
    else paintLine(frame, laid, one, index);
  }
  drawGuidelines(frame, laid.guidelines, {
    axis,
    plot,
    isUpright: true,
    write: numberFormat(laid.axisStyle, frame.request.localeId),
  });
  if (isDirect) nameAtEnds(frame, laid);
  const { color: fill = frame.request.theme.muted, hasLabels } = axisLooks.x;
  if (hasLabels && laid.placedNames)
    laid.placedNames.draw(
      plot,
      laid.places.map(({ at }) => laid.x(at)),
      fill,
    );
  else if (hasLabels) drawCategories(frame, labels, plot, { fill });
  titles.draw(area, plot);
}

/** With two axes, writes above each axis which series it measures. */
function nameAxes({ area, nodes, request, words }: Frame, { series, second }: LaidLines): void {
  const namesOn = (isSecond: boolean) =>
    series
      .flatMap(({ name }, index) => (second.has(index) === isSecond ? name : []))
      .join(words.comma);
  const shown = (isSecond: boolean) =>
    fitText(isSecond ? `${namesOn(true)} ↑` : `↑ ${namesOn(false)}`, area.width / 2 - 8, 12);
  const fill = request.theme.muted;
  nodes.push(text(area.x, area.y + 10, shown(false), { fill }));
  nodes.push(text(area.x + area.width, area.y + 10, shown(true), { fill, anchor: "end" }));
}

function paintBars({ nodes }: Frame, laid: LaidLines, one: Series, index: number): void {
  const { points, step, plot, looks, unfinished, x, y } = laid;
  const bars = looks.flatMap(({ shape }, of) => (shape === "bar" ? [of] : []));
  const lane = (Math.min(step * plot.width * 0.72, 72 * bars.length) || 0) / bars.length;
  const width = Math.max(0.5, lane - (bars.length > 1 ? 1 : 0));
  const zero = y(index, 0);
  const radius = Math.min(looks[index]?.roundedCorners ?? 0, width / 2);
  for (const { index: category, at, to } of points[index] ?? []) {
    if (category === undefined) continue;
    const left = x(at) + (bars.indexOf(index) - bars.length / 2) * lane;
    const style = {
      fill: one.color,
      mark: seriesMark(laid, one, category),
      ...(radius > 0 && { radius }),
      ...(category === unfinished && {
        opacity: unfinishedOpacity,
        stroke: one.color,
        strokeWidth: 1,
        dash: [3, 3] as const,
      }),
    };
    nodes.push(rect(left, zero, width, y(index, to) - zero, style));
  }
}

/** Draws a line, area or dots. Every value has a mark. The line to an unfinished period is dashed. */
function paintLine(frame: Frame, laid: LaidLines, one: Series, index: number): void {
  const { nodes } = frame;
  const { plot, axis, other, second, stacking, unfinished, x, y } = laid;
  const look = laid.looks[index];
  if (!look) return;
  const { shape, curve, strokeWidth, radius } = look;
  const own = second.has(index) && other ? other : axis;
  // A logarithmic axis has no place for 0.
  const isShown = ({ isGap, to }: LinePoint) => !isGap && !(own.isLog && to <= 0);
  const top = ({ to }: LinePoint) => y(index, to);
  const bottom = ({ from }: LinePoint) => y(index, stacking ? from : Math.max(0, own.low));
  const place = (point: LinePoint) =>
    isShown(point) ? { x: x(point.at), y: top(point), base: bottom(point) } : undefined;
  const points = laid.points[index] ?? [];
  const last = points.at(-1);
  const hasTail = unfinished !== undefined && last?.index === unfinished && points.length > 1;
  const parts = hasTail
    ? [
        { part: points.slice(0, -1), isTail: false },
        { part: points.slice(-2), isTail: true },
      ]
    : [{ part: points, isTail: false }];
  for (const { part, isTail } of parts) {
    if (shape === "area") {
      const opacity = (stacking ? 0.85 : 0.18) * (isTail ? unfinishedOpacity : 1);
      nodes.push(path(areaPath(part.map(place), curve), { fill: one.color, opacity }));
    }
    if (shape !== "scatter" && !stacking) {
      const style = { stroke: one.color, strokeWidth, ...(isTail && { dash: [4, 4] as const }) };
      nodes.push(path(linePath(part.map(place), curve), style));
    }
  }
  const isDense = points.length > plot.width / 12;
  for (const [number, point] of points.entries()) {
    if (!isShown(point) || point.index === undefined) continue;
    const isAlone = [points[number - 1], points[number + 1]].every(
      (each) => each === undefined || !isShown(each),
    );
    const usual = shape === "scatter" ? 4 : isDense || stacking ? 0 : 2.5;
    // A value without neighbours would be invisible without a dot.
    const size = Math.max(radius ?? usual, isAlone && !stacking ? 3 : 0);
    // Invisible marks carry the data for tooltips and the keyboard.
    const style = {
      fill: one.color,
      mark: seriesMark(laid, one, point.index, wholeAt(frame, laid, point.index)),
      ...(point.index === unfinished && { opacity: unfinishedOpacity }),
    };
    nodes.push(circle(x(point.at), top(point), size, style));
  }
}

/** Returns the total of stacked areas at a category, with its name. */
function wholeAt({ words }: Frame, { stacking, series }: LaidLines, at: number) {
  if (!stacking) return undefined;
  const total = series.reduce((sum, { values }) => sum + (values[at] ?? 0), 0);
  return { name: words.total, value: series[0]?.measure.text(total) ?? "" };
}

const seriesMark = (
  { series, texts }: LaidLines,
  one: Series,
  at: number,
  whole?: { readonly name: string; readonly value: string },
) => ({
  ...markOf(
    one.rows[at],
    texts[at] ?? "",
    series.length > 1 ? one.name : "",
    one.measure.text(one.values[at]),
  ),
  ...(whole && { whole }),
});

function nameAtEnds(frame: Frame, { series, names, points, stacking, plot, y }: LaidLines): void {
  const ends = series.map((_, index) => {
    const point = points[index]?.findLast(
      ({ isGap, index: category }) => !isGap && category !== undefined,
    );
    if (!point) return plot.y;
    return y(index, stacking ? (point.from + point.to) / 2 : point.to);
  });
  const spread = spreadLabels(ends, 16, [plot.y - 6, plot.y + plot.height + 6]);
  frame.legend = series.map(({ name, color, id }, index) => {
    const [left, bottom] = [plot.x + plot.width + 8, (spread[index] ?? 0) + 4];
    const shown = names[index] ?? "";
    const fill = isHiddenSeries(frame, id) ? frame.request.theme.axis : color;
    frame.nodes.push(text(left, bottom, shown, { fill, weight: 600 }));
    const box = boxOf(left - 2, bottom - 12, measureText(shown, 12, 600) + 4, 16);
    return { name, color, id, box };
  });
}

/** Returns the labels of the calendar periods below a plot; none if the categories are not times. */
function labelsOf(
  { request: { localeId } }: Frame,
  { category, scale, shareOf, plot, x }: LaidLines,
): CategoryLabel[] {
  if (!scale) return [];
  return labelTimes(
    scale,
    { level: category?.field.level, localeId },
    { length: plot.width, toPixels: (position) => x(shareOf(position)) },
  );
}
