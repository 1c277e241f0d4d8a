import { axisLook, axisRange, type AxisLook } from "../axes/axisLook.ts";
import { drawCategories, type CategoryLabel } from "../axes/drawCategories.ts";
import { drawCategoryGrid } from "../axes/drawCategoryGrid.ts";
import { drawGuidelines, readGuidelines } from "../axes/drawGuidelines.ts";
import { axisWidth, drawValueAxis } from "../axes/drawValueAxis.ts";
import { labelTimes } from "../axes/labelTimes.ts";
import { noteAxis } from "../axes/noteAxis.ts";
import { labelStep } from "../axes/placeLabels.ts";
import { placeNames } from "../axes/placeNames.ts";
import { titleAxes } from "../axes/titleAxes.ts";
import { valueAxis, type ValueAxis } from "../axes/valueAxis.ts";
import { numberFormat } from "../format/numberFormats.ts";
import { drawLegend } from "../frame/drawLegend.ts";
import type { Area, Frame } from "../frame/frame.ts";
import { text } from "../frame/nodes.ts";
import { pivotRows } from "../frame/pivotRows.ts";
import { restOf } from "../frame/restOf.ts";
import { sayCut } from "../frame/sayCut.ts";
import { isByValue } from "../item/queryOf.ts";
import { objectOf } from "../item/readItem.ts";
import { fitNames } from "../text/fitNames.ts";
import { measureText } from "../text/measureText.ts";
import { binRange } from "../answer/binRange.ts";
import { labelBars, readBarLabel } from "./labelBars.ts";
import { layBars, valuesOf, type Bar, type LaidBars } from "./layBars.ts";
import { laneOf, paintBars, totalsOf, type BarTexts } from "./paintBars.ts";

/** Maximum number of bars whose values are written at their ends without an option that asks for it. */
const mostLabelled = 60;
/** Height in pixels of a horizontal bar with its name, and of a label on a vertical time axis. */
const nameHeight = 18;
/** Least width in pixels of a column and of the gap after it. */
const leastColumn = 2;

/**
 * Draws bars or columns: grouped, stacked, or as shares of 100 %. Columns stay upright at every width: their names
 * break into lines, turn or are shortened instead.
 */
export function drawBars(frame: Frame): void {
  const isColumn = frame.request.item.type === "column-chart";
  const pivoted = pivotRows(frame, { category: isColumn ? "x-axis" : "y-axis", legend: "legend" });
  const laid = layBars(frame, pivoted);
  if (laid.hasSeries) drawLegend(frame, pivoted.series);
  if (isColumn) drawColumns(frame, laid);
  else drawLying(frame, laid);
}

/** The axis of the values, with its look and the guidelines across it. */
function axisOfValues(frame: Frame, laid: LaidBars, bars: readonly Bar[], isUpright: boolean) {
  const { options } = frame.request.item;
  const stored = axisLook(frame, isUpright ? "y" : "x", "values");
  const isStacked = laid.mode !== "grouped";
  const look: AxisLook = {
    ...stored,
    range: stored.range ?? axisRange(options.manualAxesRange),
  };
  const values = valuesOf(bars);
  const guidelines = readGuidelines(
    frame,
    laid.mode === "stacked"
      ? totalsOf(laid).map(({ total }) => total)
      : bars.flatMap(({ from, to, value }) => (value === null ? [] : [to - from])),
  );
  const create = (length: number): ValueAxis => {
    const axis = valueAxis([...values, ...guidelines.map(({ value }) => value)], {
      length,
      fromZero: true,
      style: laid.style,
      localeId: frame.request.localeId,
      // The length of a part of a logarithmic stack would say nothing about its value.
      look: isStacked ? { ...look, logBase: undefined } : look,
    });
    noteAxis(frame, axis, {
      look,
      // Zero is where bars start, and not a value that a logarithmic axis leaves out.
      values: axis.isLog ? bars.flatMap(({ value }) => value ?? []) : values,
    });
    return axis;
  };
  const drawLines = (axis: ValueAxis, plot: Area) => {
    const write = numberFormat(laid.style, frame.request.localeId);
    drawGuidelines(frame, guidelines, { axis, plot, isUpright, write });
  };
  const isPlain =
    guidelines.length === 0 &&
    look.range === undefined &&
    look.logBase === undefined &&
    look.density === 1 &&
    !look.isRequested;
  return { look, isPlain, create, drawLines };
}

/** Draws as many columns as can be told apart; a note says how many were left out. Periods and bins are all drawn. */
function drawColumns(frame: Frame, all: LaidBars): void {
  const { area, request } = frame;
  const { category, isBinned } = all;
  const { scale } = all.placed;
  const titles = titleAxes(frame, { x: category?.name ?? "", y: measureNames(all) });
  // The width of the value axis is known only with its ticks; a typical width decides how names are written.
  const room = area.width - 48 - titles.left;
  const isNamed = !scale && !isBinned;
  const shownCount = isNamed ? Math.max(1, Math.floor(room / leastColumn)) : Infinity;
  const isCut = shownCount < all.names.length;
  if (isCut) sayHidden(frame, all, shownCount);
  const laid = isCut ? firstOf(all, shownCount) : all;
  const { bars, names, step } = laid;
  const look = axisLook(frame, "x", "categories");
  const values = axisOfValues(frame, all, bars, true);
  const band = room * step;
  const placedNames = isNamed && look.hasLabels ? placeNames(frame, names, band) : undefined;
  const below = look.hasLabels ? (placedNames?.height ?? (scale ? 40 : 24)) : 6;
  const texts = textsOf(frame, laid, true, band);
  const height = area.height - below - titles.bottom - 6;
  const axis = values.create(height);
  const left = axisWidth(axis, values.look) + titles.left;
  const plot = {
    x: area.x + left,
    y: area.y + 6 + texts.after,
    // Half of the last edge label extends beyond the plot, so leave room for it.
    width: area.width - left - (isBinned ? 14 : 0) - titles.right,
    height: height - texts.after - texts.before,
  };
  drawValueAxis(frame, axis, plot, { look: values.look });
  const edges = isBinned ? edgeLabels(laid, request.localeId, plot) : undefined;
  const at = laid.spots.map((spot) => plot.x + spot * plot.width);
  const labels = edges ?? (scale ? timesOf(frame, laid, plot.x, plot.width) : []);
  const marked = labels.length > 0 ? labels.map((label) => label.at) : at;
  drawCategoryGrid(frame, look, marked, { plot, isUpright: true });
  paintBars(frame, laid, { bars, plot, axis, isUpright: true, texts, lineColor: look.lineColor });
  values.drawLines(axis, plot);
  if (look.hasLabels) {
    const longest = Math.max(plot.width * step - 4, 48);
    const fill = look.color ?? request.theme.muted;
    const shown = { ...plot, height: plot.height + texts.before };
    if (placedNames) placedNames.draw(shown, at, fill);
    else drawCategories(frame, labels, shown, { longest, fill });
  }
  titles.draw(area, plot);
}

/**
 * Draws as many horizontal bars as are readable; a note says how many were left out. Periods are all drawn, and some of
 * their names are left out instead.
 */
function drawLying(frame: Frame, laid: LaidBars): void {
  const { area, request } = frame;
  const { series, names, category, mode, placed } = laid;
  const { scale } = placed;
  const titles = titleAxes(frame, { x: measureNames(laid), y: category?.name ?? "" });
  const look = axisLook(frame, "y", "categories");
  const room = area.height - titles.bottom;
  const shownCount = scale
    ? names.length
    : Math.min(names.length, Math.max(1, Math.floor(room / nameHeight)));
  if (shownCount < names.length) sayHidden(frame, laid, shownCount);
  const shown = laid.bars.filter((bar) => bar.category < shownCount);
  const widest = Math.max(0, ...names.slice(0, shownCount).map((name) => measureText(name, 12)));
  const gap = category && look.hasLabels ? 10 : 0;
  const left = (look.hasLabels ? Math.min(widest, area.width * 0.4) : 0) + gap;
  const values = axisOfValues(frame, laid, shown, false);
  const isShort = shown.length <= mostLabelled && (mode === "grouped" || series.length === 1);
  // Without options for the axis, values at the ends of the bars replace it.
  const isLabelled = values.isPlain && isShort && mode !== "100";
  const step = scale ? laid.step : 1 / shownCount;
  const texts = textsOf(frame, { ...laid, bars: shown, step }, false, room * step, isLabelled);
  const isBare = isLabelled && texts.of !== undefined;
  const below = isBare || !values.look.hasLabels ? 0 : 24;
  const width = area.width - left - titles.left - texts.before - texts.after - (isBare ? 0 : 16);
  const longest = series.length > 1 && mode === "grouped" ? 96 : 48;
  const height = Math.min(room - below, (1 / step) * longest);
  const plot = { x: area.x + left + titles.left + texts.before, y: area.y, width, height };
  const axis = isBare ? tight(shown) : values.create(width / 1.6);
  if (axis.ticks.length > 0)
    drawValueAxis(frame, axis, plot, { side: "bottom", look: values.look });
  const spots = scale ? laid.spots : names.map((_, index) => (index + 0.5) / shownCount);
  const at = spots.slice(0, shownCount).map((spot) => plot.y + spot * plot.height);
  drawCategoryGrid(frame, look, at, { plot, isUpright: false });
  paintBars(
    frame,
    { ...laid, spots, step },
    { bars: shown, plot, axis, isUpright: false, texts, lineColor: look.lineColor },
  );
  values.drawLines(axis, plot);
  if (look.hasLabels) {
    const end = plot.x - texts.before - 10;
    const labels = lyingLabels(frame, laid, plot, at);
    const fitted = fitNames(
      labels.map(({ label }) => label),
      left - gap,
      12,
    );
    for (const [index, { at: y }] of labels.entries())
      frame.nodes.push(
        text(end, y + 4, fitted[index] ?? "", {
          fill: look.color ?? request.theme.text,
          anchor: "end",
        }),
      );
  }
  titles.draw({ ...area, height: Math.min(area.height, height + below + titles.bottom) }, plot);
}

/** Returns the names beside horizontal bars. Periods that are too close to each other leave out some names. */
function lyingLabels(
  { request: { localeId } }: Frame,
  { names, placed, timeShare, category }: LaidBars,
  plot: Area,
  at: readonly number[],
): CategoryLabel[] {
  const named = at.map((y, index) => ({ at: y, label: names[index] ?? "" }));
  const { scale } = placed;
  const heights = named.map(({ at: y }) => ({ at: y, width: nameHeight - 4 }));
  if (!scale || labelStep(heights, 0) === 1) return named;
  const write = (label: string, within: string | undefined) =>
    within ? `${label} ${within}` : label;
  return labelTimes(
    scale,
    { level: category?.field.level, localeId },
    {
      length: plot.height,
      height: nameHeight,
      toPixels: (position) => plot.y + placed.shareOf(position) * timeShare * plot.height,
    },
  ).map(({ at: y, label, within }) => ({ at: y, label: write(label, within) }));
}

/** Returns the labels of a lying time axis, and of the rows without a date after it. */
function timesOf(
  { request: { localeId } }: Frame,
  { category, placed, timeShare, spots, names }: LaidBars,
  from: number,
  length: number,
): CategoryLabel[] {
  const { scale, shareOf, timeless } = placed;
  if (!scale) return [];
  const toPixels = (position: number) => from + shareOf(position) * timeShare * length;
  const labels = labelTimes(
    scale,
    { level: category?.field.level, localeId },
    { length, toPixels },
  );
  const dated = names.length - timeless.length;
  const others = names.slice(dated).map((label, index) => ({
    at: from + (spots[dated + index] ?? 0) * length,
    label,
  }));
  return [...labels, ...others];
}

/** Returns the first categories, which then divide the axis among themselves. */
function firstOf(laid: LaidBars, count: number): LaidBars {
  return {
    ...laid,
    bars: laid.bars.filter(({ category }) => category < count),
    series: laid.series.map((each) => ({ ...each, values: each.values.slice(0, count) })),
    categories: laid.categories.slice(0, count),
    names: laid.names.slice(0, count),
    spots: Array.from({ length: count }, (_, index) => (index + 0.5) / count),
    step: 1 / count,
  };
}

/** Notes how many categories have no room, together with those that the answer leaves out. */
function sayHidden(frame: Frame, { series, category, names }: LaidBars, shownCount: number): void {
  const { leftOut, item, hiddenSeries } = frame.request;
  const measure = series[0]?.measure;
  const valuesOf = (from: number, to?: number) =>
    series.flatMap(({ measure: of, values }) =>
      of.cell === measure?.cell ? values.slice(from, to).filter((value) => value !== null) : [],
    );
  const rest = restOf(frame, measure, {
    shown: valuesOf(0, shownCount),
    hidden: valuesOf(shownCount),
  });
  sayCut(frame, {
    name: category?.name ?? "",
    shown: shownCount,
    count: leftOut && !leftOut.all ? undefined : names.length + (leftOut?.all?.count ?? 0),
    isTop: objectOf<"by">(item.options.sort).by === undefined || isByValue(item),
    rest: hiddenSeries === undefined || hiddenSeries.size === 0 ? rest : undefined,
  });
}

/** Returns the labels of bins: each bin has two ends, and the number of each end is written below its edge. */
function edgeLabels(
  { category, categories, names, spots, step }: LaidBars,
  localeId: string,
  plot: Area,
): CategoryLabel[] {
  const edges = categories.flatMap((cell) => binRange(cell)?.[0] ?? []);
  const last = binRange(categories.at(-1))?.[1];
  const all = last === undefined ? edges : [...edges, last];
  if (all.length < categories.length)
    return names.map((label, index) => ({ at: plot.x + (spots[index] ?? 0) * plot.width, label }));
  const write = numberFormat({ format: category?.field.format }, localeId);
  return all.map((edge, index) => ({ at: plot.x + index * step * plot.width, label: write(edge) }));
}

function measureNames({ series }: LaidBars): string {
  return [...new Set(series.map(({ measure }) => measure.name))].join(", ");
}

/**
 * Returns the texts at or in the bars, and the room that they need before the lowest and after the highest value.
 * `isLabelled` writes values without an option that asks for them.
 */
function textsOf(
  { request, notes, words }: Frame,
  laid: LaidBars,
  isUpright: boolean,
  band: number,
  isLabelled = false,
): BarTexts {
  const { options } = request.item;
  const label = readBarLabel(options) ?? (isLabelled ? "absolute" : "none");
  const isStacked = laid.mode !== "grouped";
  const hasTotals = isStacked && objectOf<"totals">(options.bars).totals === true;
  const of = label === "none" ? undefined : labelBars(laid, label, request.localeId);
  if (!of && !hasTotals) return { of, hasTotals, isTurned: false, before: 0, after: 0 };
  const widthOf = (shown: string) => (shown === "" ? 0 : measureText(shown, 12));
  const { lanes, lane, thickness } = laneOf(laid, band);
  const texts = isStacked
    ? hasTotals
      ? totalsOf(laid).map(({ total, shown }) => ({ isNegative: total < 0, width: widthOf(shown) }))
      : []
    : laid.bars.map((bar) => ({
        isNegative: (bar.value ?? 0) < 0,
        width: widthOf(of?.(bar) ?? ""),
      }));
  const widest = (isNegative: boolean) =>
    texts.reduce(
      (most, each) => (each.isNegative === isNegative ? Math.max(most, each.width) : most),
      0,
    );
  const most = Math.max(widest(true), widest(false));
  const across = lanes === 1 ? band - 4 : lane;
  const isTurned = isUpright && most > across;
  const isHidden = isUpright ? isTurned && across < 11 : thickness < 10;
  if (isHidden && texts.length > 0) {
    // Values that nobody asked for may stay away without a word.
    if (!isLabelled) notes.push(words.labelsHidden);
    return { of: undefined, hasTotals: false, isTurned: false, before: 0, after: 0 };
  }
  const room = (width: number) => (width === 0 ? 0 : isUpright && !isTurned ? 16 : width + 8);
  return { of, hasTotals, isTurned, before: room(widest(true)), after: room(widest(false)) };
}

/** Returns an axis that has no ticks and is as long as the longest bar. */
function tight(bars: readonly Bar[]): ValueAxis {
  const low = Math.min(0, ...bars.map(({ to }) => to));
  const high = Math.max(0, ...bars.map(({ to }) => to));
  const span = high - low || 1;
  const at = (value: number) => (value - low) / span;
  return { low, high, ticks: [], isLog: false, format: String, at };
}
