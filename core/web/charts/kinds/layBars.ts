import type { ChartCell } from "../answer/chartRequest.ts";
import type { NumberStyle } from "../format/numberFormats.ts";
import { isHiddenSeries } from "../frame/drawLegend.ts";
import type { Frame, PlacedColumn } from "../frame/frame.ts";
import type { PivotedRows, Series } from "../frame/pivotRows.ts";
import { objectOf } from "../item/readItem.ts";
import { binRange } from "./binRange.ts";

type Mode = "grouped" | "stacked" | "100";

/** A bar whose ends are values instead of pixels. */
export interface Bar {
  readonly category: number;
  readonly series: number;
  readonly from: number;
  readonly to: number;
  readonly value: number;
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
  readonly mode: Mode;
  /** The number format of the axis. */
  readonly style: NumberStyle;
  /** Whether the picture has more than one series, including hidden series. */
  readonly hasSeries: boolean;
  /** Whether categories are periods or ranges. */
  readonly hasOwnOrder: boolean;
  readonly isBinned: boolean;
}

/** Sorts categories by start or by total, and arranges their bars side by side or stacked. */
export function layBars(frame: Frame, pivoted: PivotedRows): LaidBars {
  const { options } = frame.request.item;
  const { category } = pivoted;
  const isBinned = category?.field.bins !== undefined;
  const order = orderOf(pivoted, objectOf<"by">(options.sort).by !== undefined);
  const categories = order.map((index) => pivoted.categories[index]!);
  const visible = pivoted.series.filter(({ id }) => !isHiddenSeries(frame, id));
  const series = visible.map((each) => ({
    ...each,
    values: order.map((index) => each.values[index] ?? null),
    rows: order.map((index) => each.rows[index]),
  }));
  const hasSeries = pivoted.series.length > 1;
  const mode = hasSeries ? modeOf(options.mode) : "grouped";
  return {
    bars: barsOf(series, categories.length, mode),
    series,
    category,
    categories,
    names: categories.map((cell) => (category ? category.text(cell) : "")),
    mode,
    style: mode === "100" ? { format: ".0%" } : (series[0]?.measure.field ?? {}),
    hasSeries,
    hasOwnOrder: category !== undefined && (category.isDatetime || isBinned),
    isBinned,
  };
}

/** Returns the start and end of every bar. */
export function valuesOf(bars: readonly Bar[]): number[] {
  return bars.flatMap(({ from, to }) => [from, to]);
}

/**
 * Returns the indexes of categories in display order. Periods and ranges are in their natural order. Other categories
 * keep the dashboard's order, or have the largest total first.
 */
function orderOf({ category, categories, series }: PivotedRows, isSorted: boolean): number[] {
  const order = categories.map((_, index) => index);
  const by = (at: (index: number) => number) => order.toSorted((one, other) => at(one) - at(other));
  if (category?.isDatetime) return by((index) => category.wallMs(categories[index]) ?? Infinity);
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

/**
 * Returns the bars of all series. Negative values are stacked below 0. Shares are relative to the sum of absolute
 * values.
 */
function barsOf(series: readonly Series[], count: number, mode: Mode): Bar[] {
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
