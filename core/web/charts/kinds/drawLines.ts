import { area as areaOf, curveLinear, curveMonotoneX, line as lineOf } from "d3-shape";
import { drawCategories } from "../axes/drawCategories.ts";
import { drawValueAxis } from "../axes/drawValueAxis.ts";
import { spreadLabels } from "../axes/placeLabels.ts";
import { timeTicks } from "../axes/timeTicks.ts";
import { boxOf, drawLegend, isHiddenSeries } from "../frame/drawLegend.ts";
import { markOf, type Frame } from "../frame/frame.ts";
import { circle, path, rect, text } from "../frame/nodes.ts";
import { pivotRows, type PivotedRows, type Series } from "../frame/pivotRows.ts";
import { objectOf } from "../item/readItem.ts";
import { fitText } from "../text/fitText.ts";
import { measureText } from "../text/measureText.ts";
import { layLines, type LaidLines, type LineShape } from "./layLines.ts";
import type { AxisPosition } from "./placeCategories.ts";

/** Maximum number of series whose names are written at the ends of their lines instead of in a legend. */
const directCount = 4;

/** Draws lines or areas over time or categories. Missing periods leave gaps, and isolated values become dots. */
export function drawLines(frame: Frame): void {
  const isArea = frame.request.item.type === "area-chart";
  const pivoted = pivotRows(frame, { category: "x-axis", legend: "legend" });
  drawSeries(
    frame,
    pivoted,
    pivoted.series.map(() => (isArea ? "area" : "line")),
  );
}

/** Draws a combination chart: each measure as bars, a line, an area or dots, on one of two axes. */
export function drawCombination(frame: Frame): void {
  const pivoted = pivotRows(frame, { category: "x-axis" });
  const { measures } = frame.request.item.options;
  const stored = Array.isArray(measures) ? measures.map(objectOf) : [];
  const shapes = pivoted.series.map((_, index): LineShape => {
    const type = stored[index]?.["type"] ?? (index === 0 ? "bar" : "line");
    return type === "bar" || type === "area" || type === "scatter" ? type : "line";
  });
  drawSeries(frame, pivoted, shapes);
}

function drawSeries(frame: Frame, pivoted: PivotedRows, shapes: readonly LineShape[]): void {
  const { series } = pivoted;
  const isDirect =
    series.length > 1 &&
    series.length <= directCount &&
    !shapes.includes("bar") &&
    frame.area.width > 420;
  if (series.length > 1 && !isDirect) drawLegend(frame, series);
  const laid = layLines(frame, pivoted, shapes, isDirect);
  const { axis, other, plot } = laid;
  if ([axis, other].some((each) => each && each.low > 0)) frame.notes.push(frame.words.notFromZero);
  drawValueAxis(frame, axis, plot);
  if (other) {
    drawValueAxis(frame, other, plot, "right");
    titleAxes(frame, laid);
  }
  for (const [index, one] of series.entries()) {
    if (isHiddenSeries(frame, one.id)) continue;
    if (shapes[index] === "bar") paintBars(frame, laid, one, index);
    else paintLine(frame, laid, one, index);
  }
  if (isDirect) nameAtEnds(frame, laid);
  labelCategories(frame, laid);
}

/** With two axes, writes above each axis which series it measures. */
function titleAxes({ area, nodes, request }: Frame, { series, second }: LaidLines): void {
  const namesOn = (isSecond: boolean) =>
    series.flatMap(({ name }, index) => (second.has(index) === isSecond ? name : [])).join(", ");
  const shown = (isSecond: boolean) =>
    fitText(isSecond ? `${namesOn(true)} ↑` : `↑ ${namesOn(false)}`, area.width / 2 - 8, 12);
  const fill = request.theme.muted;
  nodes.push(text(area.x, area.y + 10, shown(false), { fill }));
  nodes.push(text(area.x + area.width, area.y + 10, shown(true), { fill, anchor: "end" }));
}

function paintBars({ nodes }: Frame, laid: LaidLines, one: Series, index: number): void {
  const { places, step, shapes, x, y } = laid;
  const bars = shapes.flatMap((shape, of) => (shape === "bar" ? [of] : []));
  const lane = (Math.min(step * 0.72, 72 * bars.length) || 0) / bars.length;
  const width = Math.max(0.5, lane - (bars.length > 1 ? 1 : 0));
  const zero = y(index, 0);
  for (const { index: category, at } of places) {
    const value = category === undefined ? null : (one.values[category] ?? null);
    if (category === undefined || value === null) continue;
    const left = x(at) + (bars.indexOf(index) - bars.length / 2) * lane;
    const style = { fill: one.color, mark: seriesMark(laid, one, category) };
    nodes.push(rect(left, zero, width, y(index, value) - zero, style));
  }
}

/** Draws a line, area or dots. Every value has a mark. */
function paintLine({ nodes, request }: Frame, laid: LaidLines, one: Series, index: number): void {
  const { places, plot, axis, shapes, stacked, x, y } = laid;
  const shape = shapes[index];
  const isStacked = stacked !== undefined;
  const isDefined = (place: AxisPosition) =>
    place.index !== undefined && (isStacked || one.values[place.index] !== null);
  const top = (place: AxisPosition) =>
    y(index, stacked?.[index]?.[place.index ?? -1]?.[1] ?? one.values[place.index ?? -1] ?? 0);
  const bottom = (place: AxisPosition) =>
    y(index, stacked?.[index]?.[place.index ?? -1]?.[0] ?? Math.max(0, axis.low));
  const isSmooth = objectOf<"smooth">(request.item.options.lines).smooth === true;
  const curve = isSmooth ? curveMonotoneX : curveLinear;
  if (shape === "area") {
    const shapeOf = areaOf<AxisPosition>(({ at }) => x(at), bottom, top)
      .defined(isDefined)
      .curve(curve)
      .digits(2);
    nodes.push(path(shapeOf(places) ?? "", { fill: one.color, opacity: isStacked ? 0.85 : 0.18 }));
  }
  if (shape !== "scatter" && !isStacked) {
    const shapeOf = lineOf<AxisPosition>(({ at }) => x(at), top)
      .defined(isDefined)
      .curve(curve)
      .digits(2);
    nodes.push(path(shapeOf(places) ?? "", { stroke: one.color, strokeWidth: 2 }));
  }
  const isDense = places.length > plot.width / 12;
  for (const [number, place] of places.entries()) {
    if (!isDefined(place) || place.index === undefined) continue;
    const isAlone =
      !isDefined(places[number - 1] ?? nowhere) && !isDefined(places[number + 1] ?? nowhere);
    const radius = shape === "scatter" ? 4 : isAlone ? 3 : isDense || isStacked ? 0 : 2.5;
    // Invisible marks carry the data for tooltips and the keyboard.
    const style = { fill: one.color, mark: seriesMark(laid, one, place.index) };
    nodes.push(circle(x(place.at), top(place), radius, style));
  }
}

const nowhere: AxisPosition = { index: undefined, at: 0 };

const seriesMark = ({ series, texts }: LaidLines, one: Series, at: number) =>
  markOf(
    one.rows[at],
    texts[at] ?? "",
    series.length > 1 ? one.name : "",
    one.measure.text(one.values[at]),
  );

function nameAtEnds(frame: Frame, { series, names, stacked, places, plot, y }: LaidLines): void {
  const ends = series.map((one, index) => {
    const place = places.findLast(
      (each) => each.index !== undefined && one.values[each.index] !== null,
    );
    if (place?.index === undefined) return plot.y;
    const value = one.values[place.index] ?? 0;
    const [from, to] = stacked?.[index]?.[place.index] ?? [value, value];
    return y(index, (from + to) / 2);
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

/** Writes the labels below a plot: calendar periods over time, otherwise the names of the categories. */
function labelCategories(frame: Frame, laid: LaidLines): void {
  const { category, wallMs, texts, places, step, plot, x } = laid;
  const first = places.find(({ index }) => index !== undefined);
  const last = places.findLast(({ index }) => index !== undefined);
  if (
    category?.isDatetime &&
    first?.index !== undefined &&
    last?.index !== undefined &&
    first !== last
  ) {
    const [fromMs, toMs] = [wallMs[first.index] ?? 0, wallMs[last.index] ?? 0];
    const ticks = timeTicks(fromMs, toMs, plot.width / 80, {
      level: category.field.level,
      localeId: frame.request.localeId,
    });
    drawCategories(
      frame,
      ticks.map(({ wallMs: at, period, within }) => ({
        at: x(first.at + ((last.at - first.at) * (at - fromMs)) / (toMs - fromMs)),
        label: period,
        within,
      })),
      plot,
    );
    return;
  }
  drawCategories(
    frame,
    places.flatMap(({ index, at }) =>
      index === undefined ? [] : [{ at: x(at), label: texts[index] ?? "" }],
    ),
    plot,
    Math.max(48, step - 4),
  );
}
