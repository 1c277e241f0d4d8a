import { area as areaOf, curveLinear, curveMonotoneX, line as lineOf } from "d3-shape";
import { pivotRows, type PivotedRows, type Series } from "../frame/pivotRows.ts";
import { spreadLabels } from "../axes/placeLabels.ts";
import { drawCategories } from "../axes/drawCategories.ts";
import { axisWidth, drawValueAxis } from "../axes/drawValueAxis.ts";
import { timeTicks } from "../axes/timeTicks.ts";
import { valueAxis, type ValueAxis } from "../axes/valueAxis.ts";
import { boxOf, drawLegend, isHiddenSeries } from "../frame/drawLegend.ts";
import { markOf, type Area, type Frame } from "../frame/frame.ts";
import { circle, path, rect, text } from "../frame/nodes.ts";
import { fitText } from "../text/fitText.ts";
import { measureText } from "../text/measureText.ts";
import { objectOf } from "../item/readItem.ts";
import { axisOptions, secondAxis } from "./lineAxes.ts";
import { placeCategories, type Place } from "./placeCategories.ts";

/** Series up to this number are named at their ends. */
const directCount = 4;

/** Draws lines or areas over time or over categories. Missing periods are gaps, and values alone are dots. */
export function drawLines(frame: Frame): void {
  const isArea = frame.request.item.type === "area-chart";
  const pivoted = pivotRows(frame, { category: "x-axis", legend: "legend" });
  drawSeries(
    frame,
    pivoted,
    pivoted.series.map(() => (isArea ? "area" : "line")),
  );
}

type Shape = "line" | "area" | "bar" | "scatter";

/** Draws a combination: each measure as bars, a line, an area or dots, on one of two axes. */
export function drawCombination(frame: Frame): void {
  const pivoted = pivotRows(frame, { category: "x-axis" });
  const { measures } = frame.request.item.options;
  const stored = Array.isArray(measures) ? measures.map(objectOf) : [];
  const shapes = pivoted.series.map((_, index): Shape => {
    const type = stored[index]?.["type"] ?? (index === 0 ? "bar" : "line");
    return type === "bar" || type === "area" || type === "scatter" ? type : "line";
  });
  drawSeries(frame, pivoted, shapes);
}

function drawSeries(
  frame: Frame,
  { category, categories, series }: PivotedRows,
  shapes: readonly Shape[],
): void {
  const { request, nodes } = frame;
  const { item, localeId } = request;
  const wallMs = categories.map((cell) => category?.wallMs(cell) ?? null);
  const hasBars = shapes.includes("bar");
  const isStacked = shapes.every((shape) => shape === "area") && series.length > 1;
  const second = secondAxis(item.options, series.length);

  const isDirect =
    series.length > 1 && series.length <= directCount && !hasBars && frame.area.width > 420;
  if (series.length > 1 && !isDirect) drawLegend(frame, series);

  const stacked = isStacked ? stack(series) : undefined;
  const valuesOn = (isSecond: boolean) =>
    series.flatMap(({ values }, index) =>
      second.has(index) === isSecond
        ? (stacked?.[index]?.map(([, to]) => to) ?? values.filter((value) => value !== null))
        : [],
    );
  const { area } = frame;
  const below = category?.isDatetime ? 40 : 24;
  const fromZero = (isSecond: boolean) =>
    shapes.some(
      (shape, index) => (shape === "bar" || shape === "area") && second.has(index) === isSecond,
    );
  const axisOn = (isSecond: boolean): ValueAxis => {
    const { style, fixed } = axisOptions(
      item.options,
      isSecond ? "y2" : "y",
      series,
      second,
      isSecond,
    );
    return valueAxis(valuesOn(isSecond), {
      length: area.height - below,
      fromZero: fromZero(isSecond),
      style,
      localeId,
      fixed,
    });
  };
  const axis = axisOn(false);
  const other = second.size > 0 ? axisOn(true) : undefined;
  if ([axis, other].some((each) => each && each.low > 0)) frame.notes.push(frame.words.notFromZero);
  const left = axisWidth(axis);
  const names = series.map(({ name }) => fitText(name, Math.min(140, area.width * 0.25), 12, 600));
  const right = other
    ? axisWidth(other)
    : isDirect
      ? Math.max(...names.map((name) => measureText(name, 12, 600))) + 10
      : 8;
  const above = other ? 24 : 8;
  const plot: Area = {
    x: area.x + left,
    y: area.y + above,
    width: area.width - left - right,
    height: area.height - below - above,
  };
  drawValueAxis(frame, axis, plot);
  if (other) {
    drawValueAxis(frame, other, plot, "right");
    titleAxes();
  }

  const { places, step } = placeCategories(category, wallMs, { width: plot.width, hasBars });
  const y = (index: number, value: number) =>
    plot.y + (1 - (second.has(index) && other ? other : axis).at(value)) * plot.height;
  const x = (at: number) => plot.x + at * plot.width;
  const texts = categories.map((cell) => category?.text(cell) ?? "");
  const bars = shapes.flatMap((shape, index) => (shape === "bar" ? [index] : []));

  for (const [index, one] of series.entries()) {
    if (isHiddenSeries(frame, one.id)) continue;
    const shape = shapes[index];
    const mark = (at: number) =>
      markOf(
        one.rows[at],
        texts[at] ?? "",
        series.length > 1 ? one.name : "",
        one.measure.text(one.values[at]),
      );
    const isDefined = (place: Place) =>
      place.index !== undefined && (stacked !== undefined || one.values[place.index] !== null);
    const top = (place: Place) =>
      y(index, stacked?.[index]?.[place.index ?? -1]?.[1] ?? one.values[place.index ?? -1] ?? 0);
    const bottom = (place: Place) =>
      y(index, stacked?.[index]?.[place.index ?? -1]?.[0] ?? Math.max(0, axis.low));
    if (shape === "bar") {
      const lane = (Math.min(step * 0.72, 72 * bars.length) || 0) / bars.length;
      for (const place of places)
        if (place.index !== undefined && one.values[place.index] !== null)
          nodes.push(
            rect(
              x(place.at) + (bars.indexOf(index) - bars.length / 2) * lane,
              y(index, 0),
              Math.max(0.5, lane - (bars.length > 1 ? 1 : 0)),
              top(place) - y(index, 0),
              { fill: one.color, mark: mark(place.index) },
            ),
          );
      continue;
    }
    const curve = objectOf(item.options["lines"])["smooth"] === true ? curveMonotoneX : curveLinear;
    if (shape === "area") {
      const shapeOf = areaOf<Place>(({ at }) => x(at), bottom, top)
        .defined(isDefined)
        .curve(curve)
        .digits(2);
      nodes.push(
        path(shapeOf(places) ?? "", { fill: one.color, opacity: isStacked ? 0.85 : 0.18 }),
      );
    }
    if (shape !== "scatter" && !isStacked) {
      const shapeOf = lineOf<Place>(({ at }) => x(at), top)
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
      // Marks without ink still carry the data for tooltips and the keyboard.
      nodes.push(
        circle(x(place.at), top(place), radius, { fill: one.color, mark: mark(place.index) }),
      );
    }
  }

  if (isDirect) nameAtEnds();
  drawLabels();

  /** With two axes, each says whose values it measures. */
  function titleAxes(): void {
    const namesOn = (isSecond: boolean) =>
      series.flatMap(({ name }, index) => (second.has(index) === isSecond ? name : [])).join(", ");
    const shown = (isSecond: boolean) =>
      fitText(isSecond ? `${namesOn(true)} ↑` : `↑ ${namesOn(false)}`, area.width / 2 - 8, 12);
    const fill = request.theme.muted;
    nodes.push(text(area.x, area.y + 10, shown(false), { fill }));
    nodes.push(text(area.x + area.width, area.y + 10, shown(true), { fill, anchor: "end" }));
  }

  function nameAtEnds(): void {
    const ends = series.map((one, index) => {
      const place = places.findLast(
        (each) => each.index !== undefined && one.values[each.index] !== null,
      );
      if (place?.index === undefined) return plot.y;
      const [from, to] = stacked?.[index]?.[place.index] ?? [
        one.values[place.index] ?? 0,
        one.values[place.index] ?? 0,
      ];
      return y(index, (from + to) / 2);
    });
    const spread = spreadLabels(ends, 16, [plot.y - 6, plot.y + plot.height + 6]);
    frame.legend = series.map(({ name, color, id }, index) => {
      const [x, y] = [plot.x + plot.width + 8, (spread[index] ?? 0) + 4];
      const shown = names[index] ?? "";
      const fill = isHiddenSeries(frame, id) ? request.theme.axis : color;
      nodes.push(text(x, y, shown, { fill, weight: 600 }));
      return { name, color, id, box: boxOf(x - 2, y - 12, measureText(shown, 12, 600) + 4, 16) };
    });
  }

  function drawLabels(): void {
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
        localeId,
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
}

const nowhere: Place = { index: undefined, at: 0 };

/** Puts the values of areas on each other; a missing value is 0. */
function stack(series: readonly Series[]): (readonly [from: number, to: number])[][] {
  const tops: number[] = [];
  return series.map(({ values }) =>
    values.map((value, place) => {
      const from = tops[place] ?? 0;
      tops[place] = from + (value ?? 0);
      return [from, tops[place]] as const;
    }),
  );
}
