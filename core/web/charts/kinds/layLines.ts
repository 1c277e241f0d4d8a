import { axisWidth } from "../axes/drawValueAxis.ts";
import { valueAxis, type ValueAxis } from "../axes/valueAxis.ts";
import type { Area, Frame, PlacedColumn } from "../frame/frame.ts";
import type { PivotedRows, Series } from "../frame/pivotRows.ts";
import { fitText } from "../text/fitText.ts";
import { measureText } from "../text/measureText.ts";
import { axisOptions, secondAxis } from "./lineAxes.ts";
import { placeCategories, type PlacedCategories } from "./placeCategories.ts";

/** The shape in which a series is drawn. */
export type LineShape = "line" | "area" | "bar" | "scatter";

/** The layout of a line, area or combination chart: its series, axes and positions. */
export interface LaidLines extends PlacedCategories {
  readonly series: readonly Series[];
  /** The shape of each series, in the order of `series`. */
  readonly shapes: readonly LineShape[];
  /** Indexes in `series` of the series on the second axis. */
  readonly second: ReadonlySet<number>;
  /** The start and end of each value, by series, if all series are stacked areas; otherwise undefined. */
  readonly stacked: readonly (readonly (readonly [from: number, to: number])[])[] | undefined;
  readonly category: PlacedColumn | undefined;
  /** The time of each category; null for a category without a time. */
  readonly wallMs: readonly (number | null)[];
  /** The label of each category. */
  readonly texts: readonly string[];
  /** The names of the series, shortened to fit at the ends of their lines. */
  readonly names: readonly string[];
  readonly axis: ValueAxis;
  /** The second axis, on the right; undefined if all series are on the first axis. */
  readonly other: ValueAxis | undefined;
  readonly plot: Area;
  /** Converts a share of the width to pixels. */
  x(at: number): number;
  /** Converts a value on the axis of a series to pixels. */
  y(index: number, value: number): number;
}

/** Computes the layout of series on one or two axes. `isDirect` leaves room for names at the ends of the lines. */
export function layLines(
  { area, request }: Frame,
  { category, categories, series }: PivotedRows,
  shapes: readonly LineShape[],
  isDirect: boolean,
): LaidLines {
  const { item, localeId } = request;
  const wallMs = categories.map((cell) => category?.wallMs(cell) ?? null);
  const isStacked = shapes.every((shape) => shape === "area") && series.length > 1;
  const stacked = isStacked ? stack(series) : undefined;
  const second = secondAxis(item.options, series.length);
  const below = category?.isDatetime ? 40 : 24;
  const axisOn = (isSecond: boolean): ValueAxis => {
    const name = isSecond ? "y2" : "y";
    const { style, fixed } = axisOptions(item.options, name, series, second, isSecond);
    const own = [...series.keys()].filter((index) => second.has(index) === isSecond);
    const values = own.flatMap(
      (index) =>
        stacked?.[index]?.map(([, to]) => to) ??
        series[index]!.values.filter((value) => value !== null),
    );
    return valueAxis(values, {
      length: area.height - below,
      fromZero: own.some((index) => shapes[index] === "bar" || shapes[index] === "area"),
      style,
      localeId,
      fixed,
    });
  };
  const axis = axisOn(false);
  const other = second.size > 0 ? axisOn(true) : undefined;
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
  const hasBars = shapes.includes("bar");
  return {
    ...placeCategories(category, wallMs, { width: plot.width, hasBars }),
    series,
    shapes,
    second,
    stacked,
    category,
    wallMs,
    texts: categories.map((cell) => category?.text(cell) ?? ""),
    names,
    axis,
    other,
    plot,
    x: (at) => plot.x + at * plot.width,
    y: (index, value) =>
      plot.y + (1 - (second.has(index) && other ? other : axis).at(value)) * plot.height,
  };
}

/** Stacks the values of areas. Missing values count as 0. */
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
