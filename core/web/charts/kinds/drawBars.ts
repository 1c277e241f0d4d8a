import { pivotRows, type Series } from "../frame/pivotRows.ts";
import { drawCategories } from "../axes/drawCategories.ts";
import { axisWidth, drawValueAxis } from "../axes/drawValueAxis.ts";
import { valueAxis } from "../axes/valueAxis.ts";
import { timeLabels } from "../format/datetimeFormats.ts";
import { numberFormat } from "../format/numberFormats.ts";
import { objectOf } from "../item/readItem.ts";
import { drawLegend, isHiddenSeries } from "../frame/drawLegend.ts";
import { markOf, type Area, type Frame } from "../frame/frame.ts";
import { line, rect, text } from "../frame/nodes.ts";
import { fitText } from "../text/fitText.ts";
import { measureText } from "../text/measureText.ts";
import { binRange } from "./binRange.ts";

type Mode = "grouped" | "stacked" | "100";

/** Pixels of a bar at most: few bars do not become blocks. */
const widestBar = 72;

/** A bar before it is placed: its ends as values, and its series. */
interface Bar {
  readonly category: number;
  readonly series: number;
  readonly from: number;
  readonly to: number;
  readonly value: number;
}

/**
 * Draws bars or columns: grouped, stacked or as shares of 100 %. Columns whose names do not fit below them lie down,
 * unless they are periods or ranges.
 */
export function drawBars(frame: Frame): void {
  const { request } = frame;
  const { item, localeId, theme } = request;
  const isColumn = item.type === "column-chart";
  const pivoted = pivotRows(frame, { category: isColumn ? "x-axis" : "y-axis", legend: "legend" });
  const { category } = pivoted;
  const hasOwnOrder =
    category !== undefined && (category.isDatetime || category.field.bins !== undefined);
  const isSorted = hasOwnOrder || objectOf(item.options["sort"])["by"] !== undefined;
  const order = pivoted.categories.map((_, index) => index);
  if (!isSorted)
    order.sort((one, other) => totalAt(pivoted.series, other) - totalAt(pivoted.series, one));
  else if (category?.isDatetime) order.sort((one, other) => wallAt(one) - wallAt(other));
  else if (category?.field.bins !== undefined)
    order.sort((one, other) => binStart(one) - binStart(other));
  const categories = order.map((index) => pivoted.categories[index]!);
  const visible = pivoted.series.filter(({ id }) => !isHiddenSeries(frame, id));
  const series = visible.map((each) => ({
    ...each,
    values: order.map((index) => each.values[index] ?? null),
    rows: order.map((index) => each.rows[index]),
  }));
  function wallAt(index: number): number {
    return category?.wallMs(pivoted.categories[index]) ?? Infinity;
  }
  function binStart(index: number): number {
    return binRange(pivoted.categories[index])?.[0] ?? Infinity;
  }
  const names = categories.map((cell) => (category ? category.text(cell) : ""));
  const hasSeries = pivoted.series.length > 1;
  const mode = hasSeries ? modeOf(item.options["mode"]) : "grouped";
  if (hasSeries) drawLegend(frame, pivoted.series);
  const bars = layBars(series, categories.length, mode);
  const style = mode === "100" ? { format: ".0%" } : (series[0]?.measure.field ?? {});

  const { area } = frame;
  const bandOf = (length: number) => length / Math.max(1, categories.length);
  const widest = Math.max(0, ...names.map((name) => measureText(name, 12)));
  const fitsBelow = hasOwnOrder || widest <= bandOf(area.width - 40) - 6 || categories.length > 40;
  const isUpright = isColumn && (fitsBelow || area.height < area.width / 3);
  const isBinned = category?.field.bins !== undefined;

  if (isUpright) {
    const isTime = category?.isDatetime === true;
    const below = isTime ? 40 : 24;
    const axis = valueAxis(valuesOf(bars), {
      length: area.height - below,
      fromZero: true,
      style,
      localeId,
    });
    const left = axisWidth(axis);
    const plot = {
      x: area.x + left,
      y: area.y + 6,
      // The last edge of a bin has half of its label beyond the plot.
      width: area.width - left - (isBinned ? 14 : 0),
      height: area.height - below - 6,
    };
    drawValueAxis(frame, axis, plot);
    const band = bandOf(plot.width);
    drawAll(frame, bars, series, names, {
      plot,
      axis,
      band,
      mode,
      isUpright,
      isBinned,
      hasSeries,
    });
    const middles = (isTime ? periodLabels() : names.map((label) => ({ label }))).map(
      (label, index) => ({ at: plot.x + (index + 0.5) * band, ...label }),
    );
    drawCategories(
      frame,
      isBinned ? edgeLabels(plot.x, band) : middles,
      plot,
      Math.max(band - 4, 48),
    );
    return;
  }

  // Lying bars: as many as are readable; the others are counted.
  const shownCount = Math.min(categories.length, Math.max(1, Math.floor(area.height / 18)));
  const isCut = shownCount < categories.length;
  if (isCut) frame.notes.push(`+ ${categories.length - shownCount}`);
  const shown = bars.filter((bar) => bar.category < shownCount);
  const left = Math.min(widest, area.width * 0.4) + (category ? 10 : 0);
  const isLabelled =
    mode !== "100" && shown.length <= 60 && (mode === "grouped" || series.length === 1);
  const valueWidth = isLabelled
    ? Math.max(
        0,
        ...shown.map(({ series: of, value }) => measureText(series[of]!.measure.text(value), 12)),
      ) + 8
    : 0;
  const below = isLabelled ? 0 : 24;
  const width = area.width - left - valueWidth - (isLabelled ? 0 : 16);
  const axis = valueAxis(valuesOf(shown), { length: width / 1.6, fromZero: true, style, localeId });
  const height = Math.min(
    area.height - below,
    shownCount * (series.length > 1 && mode === "grouped" ? 96 : 48),
  );
  const plot = { x: area.x + left, y: area.y, width, height };
  const ends = isLabelled ? tight(shown) : axis;
  if (!isLabelled) drawValueAxis(frame, axis, plot, "bottom");
  const band = plot.height / shownCount;
  drawAll(frame, shown, series, names, {
    plot,
    axis: ends,
    band,
    mode,
    isUpright,
    isBinned,
    hasSeries,
    isLabelled,
  });
  for (const [index, name] of names.slice(0, shownCount).entries())
    frame.nodes.push(
      text(plot.x - 10, plot.y + (index + 0.5) * band + 4, fitText(name, left - 10, 12), {
        fill: theme.text,
        anchor: "end",
      }),
    );

  /** A bin is between two numbers: each is written below the edge that it names. */
  function edgeLabels(from: number, band: number) {
    const edges = categories.flatMap((cell) => binRange(cell)?.[0] ?? []);
    const last = binRange(categories.at(-1))?.[1];
    const all = last === undefined ? edges : [...edges, last];
    if (all.length < categories.length)
      return names.map((label, index) => ({ at: from + (index + 0.5) * band, label }));
    const write = numberFormat({ format: category?.field.format }, localeId);
    return all.map((edge, index) => ({ at: from + index * band, label: write(edge) }));
  }

  function periodLabels() {
    const label = timeLabels(category?.field.level ?? 5, localeId);
    let within = "";
    return categories.map((cell) => {
      const wallMs = category?.wallMs(cell) ?? null;
      if (wallMs === null) return { label: category?.text(cell) ?? "" };
      const shown = label(wallMs);
      const isNew = shown.within !== within;
      within = shown.within;
      return { label: shown.period, ...(isNew && { within: shown.within }) };
    });
  }
}

function modeOf(stored: unknown): Mode {
  return stored === "stacked" || stored === "100" ? stored : "grouped";
}

function totalAt(series: readonly Series[], place: number): number {
  return series.reduce((sum, { values }) => sum + (values[place] ?? 0), 0);
}

function valuesOf(bars: readonly Bar[]): number[] {
  return bars.flatMap(({ from, to }) => [from, to]);
}

/** An axis without ticks, as long as the longest bar. */
function tight(bars: readonly Bar[]) {
  const low = Math.min(0, ...bars.map(({ to }) => to));
  const high = Math.max(0, ...bars.map(({ to }) => to));
  const span = high - low || 1;
  return { at: (value: number) => (value - low) / span };
}

/** Places bars beside or on each other. Negative values are stacked below 0, and count as they are in a share. */
function layBars(series: readonly Series[], count: number, mode: Mode): Bar[] {
  const bars: Bar[] = [];
  for (let category = 0; category < count; category++) {
    const whole = series.reduce((sum, { values }) => sum + Math.abs(values[category] ?? 0), 0);
    let [above, below] = [0, 0];
    for (const [number, { values }] of series.entries()) {
      const value = values[category] ?? null;
      if (value === null) continue;
      const length = mode === "100" ? (whole === 0 ? 0 : value / whole) : value;
      const from = mode === "grouped" ? 0 : length < 0 ? below : above;
      const to = from + length;
      if (length < 0) below = to;
      else above = to;
      bars.push({ category, series: number, from, to, value });
    }
  }
  return bars;
}

interface Placing {
  readonly plot: Area;
  readonly axis: { at(value: number): number };
  readonly band: number;
  readonly mode: Mode;
  readonly isUpright: boolean;
  readonly isBinned: boolean;
  readonly hasSeries: boolean;
  readonly isLabelled?: boolean;
}

function drawAll(
  { nodes, request: { theme } }: Frame,
  bars: readonly Bar[],
  series: readonly Series[],
  names: readonly string[],
  { plot, axis, band, mode, isUpright, isBinned, hasSeries, isLabelled = false }: Placing,
): void {
  const lanes = mode === "grouped" ? Math.max(1, series.length) : 1;
  const group = isBinned
    ? Math.max(1, band - 1)
    : Math.min(band * (lanes > 1 ? 0.84 : 0.72), widestBar * lanes);
  const lane = group / lanes;
  const gap = lanes > 1 && lane > 4 ? 1 : 0;
  for (const { category, series: number, from, to, value } of bars) {
    const one = series[number]!;
    const along = (category + 0.5) * band - group / 2 + (lanes > 1 ? number * lane : 0);
    const [start, end] = [axis.at(from), axis.at(to)];
    const shown = one.measure.text(value);
    const style = {
      fill: one.color,
      mark: markOf(one.rows[category], names[category] ?? "", hasSeries ? one.name : "", shown),
    };
    const thickness = Math.max(0.5, lane - gap);
    if (isUpright)
      nodes.push(
        rect(
          plot.x + along,
          plot.y + (1 - end) * plot.height,
          thickness,
          (end - start) * plot.height,
          style,
        ),
      );
    else
      nodes.push(
        rect(
          plot.x + start * plot.width,
          plot.y + along,
          (end - start) * plot.width,
          thickness,
          style,
        ),
      );
    if (isLabelled && thickness >= 10) {
      const y = plot.y + along + thickness / 2 + 4;
      const x = plot.x + Math.max(start, end) * plot.width + 6;
      nodes.push(text(x, y, shown, { fill: theme.muted }));
    }
  }
  const zero = axis.at(0);
  const [x, y] = [plot.x + zero * plot.width, plot.y + (1 - zero) * plot.height];
  nodes.push(
    isUpright
      ? line([plot.x, y], [plot.x + plot.width, y], { stroke: theme.axis })
      : line([x, plot.y], [x, plot.y + plot.height], { stroke: theme.axis }),
  );
}
