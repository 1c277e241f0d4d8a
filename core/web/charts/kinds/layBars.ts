import type { ChartCell } from "../answer/chartRequest.ts";
import { readColor } from "../color/readColor.ts";
import type { NumberStyle } from "../format/numberFormats.ts";
import { isHiddenSeries } from "../frame/drawLegend.ts";
import type { Frame, PlacedColumn } from "../frame/frame.ts";
import type { PivotedRows, Series } from "../frame/pivotRows.ts";
import { objectOf } from "../item/readItem.ts";
import { binRange } from "../answer/binRange.ts";
import { isUnfinished } from "./isUnfinished.ts";
import { placeCategories, type PlacedCategories } from "./placeCategories.ts";

type Mode = "grouped" | "stacked" | "100";

/** A bar whose ends are values instead of pixels. */
export interface Bar {
  readonly category: number;
  readonly series: number;
  readonly from: number;
  readonly to: number;
  /** The value of the row; null for a row without a value, whose bar has no length. */
  readonly value: number | null;
}

/** The bars of a picture, with their ends as values. The ends are converted to pixels later. */
export interface LaidBars {
  readonly bars: readonly Bar[];
  /** The visible series, with values in the order of the categories. */
  readonly series: readonly Series[];
  readonly category: PlacedColumn | undefined;
  readonly categories: readonly ChartCell[];
  /** Names of the categories. */
  readonly names: readonly string[];
  /** The middle of each category, as a share of the axis. */
  readonly spots: readonly number[];
  /** Thickness of a category, as a share of the axis. */
  readonly step: number;
  readonly placed: PlacedCategories;
  /** Part of the axis that belongs to the periods; the rest holds categories without a date. */
  readonly timeShare: number;
  /** The category whose period has not ended; undefined if there is none. */
  readonly unfinished: number | undefined;
  readonly mode: Mode;
  /** The number format of the axis. */
  readonly style: NumberStyle;
  /** Whether the picture has more than one series, including hidden series. */
  readonly hasSeries: boolean;
  readonly isBinned: boolean;
  /** Returns the colour of a bar. */
  colorOf(bar: Pick<Bar, "category" | "series">): string;
}

/**
 * Sorts categories by start or by total, and arranges their bars side by side or stacked. Periods stand on a time scale
 * with a place for each missing period. Rows without a date follow after the last period.
 */
export function layBars(frame: Frame, pivoted: PivotedRows): LaidBars {
  const { options } = frame.request.item;
  const { category } = pivoted;
  const isBinned = category?.field.bins !== undefined;
  const placed = placeCategories(category, pivoted.categories, {
    hasBars: true,
    order: orderOf(pivoted, objectOf<"by">(options.sort).by !== undefined),
  });
  const { places, timeless, scale } = placed;
  const known = places.filter(({ index }) => index !== undefined);
  // A free place separates rows without a date from the last period.
  const extra = timeless.length > 0 ? timeless.length + 1 : 0;
  const count = scale?.count ?? 0;
  const timeShare = extra > 0 ? count / (count + extra) : 1;
  const spots = [
    ...known.map(({ at }) => at * timeShare),
    ...timeless.map((_, number) => (count + 1.5 + number) / (count + extra)),
  ];
  const order = [...known.flatMap(({ index }) => index ?? []), ...timeless];
  const categories = order.map((index) => pivoted.categories[index]!);
  const visible = pivoted.series.filter(({ id }) => !isHiddenSeries(frame, id));
  const series = visible.map((each) => ({
    ...each,
    values: order.map((index) => each.values[index] ?? null),
    rows: order.map((index) => each.rows[index]),
  }));
  const hasSeries = pivoted.series.length > 1;
  const mode = hasSeries ? modeOf(options.mode) : "grouped";
  const isUnfinishedLast = scale !== undefined && isUnfinished(frame, category, scale);
  return {
    bars: barsOf(series, categories.length, mode),
    series,
    category,
    categories,
    names: categories.map((cell) => (category ? category.text(cell) : "")),
    spots,
    step: placed.step * timeShare,
    placed,
    timeShare,
    unfinished: isUnfinishedLast ? known.length - 1 : undefined,
    mode,
    style: mode === "100" ? { format: ".0%" } : (series[0]?.measure.field ?? {}),
    hasSeries,
    isBinned,
    colorOf: colorsOf(frame, { category, categories, series, hasSeries }),
  };
}

/** Returns the start and end of every bar. */
export function valuesOf(bars: readonly Bar[]): number[] {
  return bars.flatMap(({ from, to, value }) => (value === null ? [] : [from, to]));
}

/**
 * Returns the indexes of categories in display order. Ranges are in their natural order. Other categories keep the
 * dashboard's order, or have the largest total first. The order of periods does not matter here.
 */
function orderOf({ category, categories, series }: PivotedRows, isSorted: boolean): number[] {
  const order = categories.map((_, index) => index);
  if (category?.isDatetime) return order;
  const by = (at: (index: number) => number) => order.toSorted((one, other) => at(one) - at(other));
  if (category?.field.bins !== undefined)
    return by((index) => binRange(categories[index])?.[0] ?? Infinity);
  return isSorted ? order : by((index) => -totalAt(series, index));
}

function totalAt(series: readonly Series[], place: number): number {
  return series.reduce((sum, { values }) => sum + (values[place] ?? 0), 0);
}

function modeOf(stored: unknown): Mode {
  return stored === "stacked" || stored === "100" ? stored : "grouped";
}

/** Bars of a single series have the colour of the item, or with `categories.colored` that of their category. */
function colorsOf(
  { request: { item, theme, colors } }: Frame,
  {
    category,
    categories,
    series,
    hasSeries,
  }: Pick<LaidBars, "category" | "categories" | "series" | "hasSeries">,
): LaidBars["colorOf"] {
  const seriesColor = ({ series: number }: Pick<Bar, "series">) => series[number]?.color ?? "";
  if (hasSeries) return seriesColor;
  if (category && objectOf<"colored">(item.options.categories).colored === true)
    return ({ category: at }) => {
      const cell = categories[at];
      return colors.of(category.field.columnId ?? "", category.key(cell), category.color(cell));
    };
  const own = readColor(item.options.color, theme.background);
  return own === undefined ? seriesColor : () => own;
}

/**
 * Returns the bars of all series. Negative values are stacked below 0. Shares are relative to the sum of absolute
 * values.
 */
function barsOf(series: readonly Series[], count: number, mode: Mode): Bar[] {
  const bars: Bar[] = [];
  for (let category = 0; category < count; category++) {
    const whole = series.reduce((sum, { values }) => sum + Math.abs(values[category] ?? 0), 0);
    let [above, below] = [0, 0];
    for (const [number, { values, rows }] of series.entries()) {
      const value = values[category] ?? null;
      if (value === null) {
        if (rows[category] !== undefined)
          bars.push({ category, series: number, from: 0, to: 0, value });
        continue;
      }
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
