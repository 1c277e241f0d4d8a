import { drawCategories, type CategoryLabel } from "../axes/drawCategories.ts";
import { axisWidth, drawValueAxis } from "../axes/drawValueAxis.ts";
import { valueAxis } from "../axes/valueAxis.ts";
import { timeLabels } from "../format/datetimeFormats.ts";
import { numberFormat } from "../format/numberFormats.ts";
import { drawLegend } from "../frame/drawLegend.ts";
import { markOf, type Area, type Frame } from "../frame/frame.ts";
import { line, rect, text } from "../frame/nodes.ts";
import { pivotRows } from "../frame/pivotRows.ts";
import { fitText } from "../text/fitText.ts";
import { measureText } from "../text/measureText.ts";
import { binRange } from "./binRange.ts";
import { layBars, valuesOf, type Bar, type LaidBars } from "./layBars.ts";

/** Maximum thickness of a bar in pixels, so that a few bars do not become blocks. */
const widestBar = 72;

/**
 * Draws bars or columns: grouped, stacked, or as shares of 100 %. Columns become horizontal bars if their names do not
 * fit below them, unless they are periods or ranges.
 */
export function drawBars(frame: Frame): void {
  const isColumn = frame.request.item.type === "column-chart";
  const pivoted = pivotRows(frame, { category: isColumn ? "x-axis" : "y-axis", legend: "legend" });
  const laid = layBars(frame, pivoted);
  if (laid.hasSeries) drawLegend(frame, pivoted.series);
  const { area } = frame;
  const { names, hasOwnOrder } = laid;
  const widest = Math.max(0, ...names.map((name) => measureText(name, 12)));
  const band = (area.width - 40) / Math.max(1, names.length);
  const fitsBelow = hasOwnOrder || widest <= band - 6 || names.length > 40;
  if (isColumn && (fitsBelow || area.height < area.width / 3)) drawColumns(frame, laid);
  else drawLying(frame, laid, widest);
}

function drawColumns(frame: Frame, laid: LaidBars): void {
  const { area, request } = frame;
  const { bars, names, category, isBinned, style } = laid;
  const isTime = category?.isDatetime === true;
  const below = isTime ? 40 : 24;
  const axis = valueAxis(valuesOf(bars), {
    length: area.height - below,
    fromZero: true,
    style,
    localeId: request.localeId,
  });
  const left = axisWidth(axis);
  const plot = {
    x: area.x + left,
    y: area.y + 6,
    // Half of the last edge label extends beyond the plot, so leave room for it.
    width: area.width - left - (isBinned ? 14 : 0),
    height: area.height - below - 6,
  };
  drawValueAxis(frame, axis, plot);
  const band = plot.width / Math.max(1, names.length);
  paintBars(frame, bars, laid, { plot, axis, band, isUpright: true, isLabelled: false });
  const middles = (
    isTime ? periodLabels(laid, request.localeId) : names.map((label) => ({ label }))
  ).map((label, index) => ({ at: plot.x + (index + 0.5) * band, ...label }));
  const labels = isBinned ? edgeLabels(laid, request.localeId, plot.x, band) : middles;
  drawCategories(frame, labels, plot, Math.max(band - 4, 48));
}

/**
 * Draws as many horizontal bars as are readable. A note says how many bars were left out. `widest` is the width of the
 * widest name.
 */
function drawLying(frame: Frame, laid: LaidBars, widest: number): void {
  const { area, request } = frame;
  const { series, names, category, mode, style } = laid;
  const shownCount = Math.min(names.length, Math.max(1, Math.floor(area.height / 18)));
  if (shownCount < names.length) frame.notes.push(`+ ${names.length - shownCount}`);
  const shown = laid.bars.filter((bar) => bar.category < shownCount);
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
  const height = Math.min(
    area.height - below,
    shownCount * (series.length > 1 && mode === "grouped" ? 96 : 48),
  );
  const plot = { x: area.x + left, y: area.y, width, height };
  const axis = valueAxis(valuesOf(shown), {
    length: width / 1.6,
    fromZero: true,
    style,
    localeId: request.localeId,
  });
  if (!isLabelled) drawValueAxis(frame, axis, plot, "bottom");
  const band = plot.height / shownCount;
  const ends = isLabelled ? tight(shown) : axis;
  paintBars(frame, shown, laid, { plot, axis: ends, band, isUpright: false, isLabelled });
  for (const [index, name] of names.slice(0, shownCount).entries())
    frame.nodes.push(
      text(plot.x - 10, plot.y + (index + 0.5) * band + 4, fitText(name, left - 10, 12), {
        fill: request.theme.text,
        anchor: "end",
      }),
    );
}

/** Returns the labels of bins: each bin has two ends, and the number of each end is written below its edge. */
function edgeLabels(
  { category, categories, names }: LaidBars,
  localeId: string,
  from: number,
  band: number,
): CategoryLabel[] {
  const edges = categories.flatMap((cell) => binRange(cell)?.[0] ?? []);
  const last = binRange(categories.at(-1))?.[1];
  const all = last === undefined ? edges : [...edges, last];
  if (all.length < categories.length)
    return names.map((label, index) => ({ at: from + (index + 0.5) * band, label }));
  const write = numberFormat({ format: category?.field.format }, localeId);
  return all.map((edge, index) => ({ at: from + index * band, label: write(edge) }));
}

function periodLabels(
  { category, categories }: LaidBars,
  localeId: string,
): Omit<CategoryLabel, "at">[] {
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

/** Returns an axis that has no ticks and is as long as the longest bar. */
function tight(bars: readonly Bar[]) {
  const low = Math.min(0, ...bars.map(({ to }) => to));
  const high = Math.max(0, ...bars.map(({ to }) => to));
  const span = high - low || 1;
  return { at: (value: number) => (value - low) / span };
}

interface Placing {
  readonly plot: Area;
  readonly axis: { at(value: number): number };
  /** Thickness of a category in pixels. */
  readonly band: number;
  readonly isUpright: boolean;
  /** Whether values are written at the ends of bars. */
  readonly isLabelled: boolean;
}

function paintBars(
  { nodes, request: { theme } }: Frame,
  bars: readonly Bar[],
  { series, names, mode, isBinned, hasSeries }: LaidBars,
  { plot, axis, band, isUpright, isLabelled }: Placing,
): void {
  const lanes = mode === "grouped" ? Math.max(1, series.length) : 1;
  const group = isBinned
    ? Math.max(1, band - 1)
    : Math.min(band * (lanes > 1 ? 0.84 : 0.72), widestBar * lanes);
  const lane = group / lanes;
  const gap = lanes > 1 && lane > 4 ? 1 : 0;
  const thickness = Math.max(0.5, lane - gap);
  for (const { category, series: number, from, to, value } of bars) {
    const one = series[number]!;
    const along = (category + 0.5) * band - group / 2 + (lanes > 1 ? number * lane : 0);
    const [start, end] = [axis.at(from), axis.at(to)];
    const shown = one.measure.text(value);
    const style = {
      fill: one.color,
      mark: markOf(one.rows[category], names[category] ?? "", hasSeries ? one.name : "", shown),
    };
    if (isUpright) {
      const top = plot.y + (1 - end) * plot.height;
      nodes.push(rect(plot.x + along, top, thickness, (end - start) * plot.height, style));
    } else {
      const first = plot.x + start * plot.width;
      nodes.push(rect(first, plot.y + along, (end - start) * plot.width, thickness, style));
    }
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
