import { axisLook, type AxisLook } from "../axes/axisLook.ts";
import { readGuidelines, type Guideline } from "../axes/drawGuidelines.ts";
import { axisWidth } from "../axes/drawValueAxis.ts";
import { noteAxis } from "../axes/noteAxis.ts";
import { placeNames, type PlacedNames } from "../axes/placeNames.ts";
import { secondAxis } from "../axes/secondAxis.ts";
import { titleAxes, type AxisTitles } from "../axes/titleAxes.ts";
import { valueAxis, type ValueAxis } from "../axes/valueAxis.ts";
import type { NumberStyle } from "../format/numberFormats.ts";
import { isHiddenSeries } from "../frame/drawLegend.ts";
import type { Area, Frame, PlacedColumn } from "../frame/frame.ts";
import type { PivotedRows, Series } from "../frame/pivotRows.ts";
import { fitNames } from "../text/fitNames.ts";
import { measureText } from "../text/measureText.ts";
import { fillIn } from "../words/templates.ts";
import { isUnfinished } from "./isUnfinished.ts";
import { lineLooks, type LineLook } from "./lineLooks.ts";
import { placeCategories, type PlacedCategories } from "./placeCategories.ts";
import { pointsOf, stackedPoints, type LinePoint, type Stacking } from "./pointsOf.ts";

/** The layout of a line, area or combination chart: its series, axes and positions. */
export interface LaidLines extends PlacedCategories {
  readonly series: readonly Series[];
  /** The look of each series, in the order of `series`. */
  readonly looks: readonly LineLook[];
  /** The points of each series, in the order of `series`. */
  readonly points: readonly (readonly LinePoint[])[];
  /** Indexes in `series` of the series on the second axis. */
  readonly second: ReadonlySet<number>;
  /** How areas are stacked; undefined if they are not. */
  readonly stacking: Stacking | undefined;
  readonly category: PlacedColumn | undefined;
  /** The label of each category. */
  readonly texts: readonly string[];
  /** The names of the series, shortened to fit at the ends of their lines. */
  readonly names: readonly string[];
  /** The names below the plot; undefined for times. */
  readonly placedNames: PlacedNames | undefined;
  readonly axis: ValueAxis;
  readonly axisStyle: NumberStyle;
  readonly axisLooks: Readonly<Record<"x" | "y" | "y2", AxisLook>>;
  readonly guidelines: readonly Guideline[];
  readonly titles: AxisTitles;
  /** The second axis, on the right; undefined if all series are on the first axis. */
  readonly other: ValueAxis | undefined;
  /** The category whose period has not ended; undefined if there is none. */
  readonly unfinished: number | undefined;
  readonly plot: Area;
  /** Converts a share of the width to pixels. */
  x(at: number): number;
  /** Converts a value on the axis of a series to pixels. */
  y(index: number, value: number): number;
}

/** Computes the layout of series on one or two axes. `isDirect` leaves room for names at the ends of the lines. */
export function layLines(
  frame: Frame,
  { category, categories, series: pivoted }: PivotedRows,
  isDirect: boolean,
): LaidLines {
  const { area, request, notes, words } = frame;
  const { item, localeId } = request;
  const looks = lineLooks(frame, pivoted);
  const series = pivoted.map((one, index) => ({ ...one, color: looks[index]?.color ?? one.color }));
  const hasBars = looks.some(({ shape }) => shape === "bar");
  const placed = placeCategories(category, categories, { hasBars });
  const { places, scale, timeless } = placed;
  const texts = categories.map((cell) => category?.text(cell) ?? "");
  if (timeless.length > 0)
    notes.push(
      fillIn(words.notShown, {
        names: [...new Set(timeless.map((at) => texts[at]))].join(words.comma),
      }),
    );
  const second = secondAxis(item.options, series.length);
  const stacking = second.size > 0 ? undefined : stackingOf(item.options.mode, looks);
  const [first] = looks;
  const hasPeriods = scale?.hasPeriods === true;
  const points =
    stacking && first
      ? stackedPoints(series, places, { missing: first.missing, stacking, hasPeriods })
      : series.map((one, index) => pointsOf(one, places, looks[index]!, hasPeriods));
  const axisLooks = {
    x: axisLook(frame, "x", "categories"),
    y: axisLook(frame, "y", "values"),
    y2: axisLook(frame, "y2", "values"),
  };
  const valuesOn = (isSecond: boolean) =>
    points.flatMap((each, index) =>
      second.has(index) === isSecond && !isHiddenSeries(frame, series[index]?.id)
        ? each.flatMap(({ from, to, isGap }) => (isGap ? [] : stacking ? [from, to] : [to]))
        : [],
    );
  const styleOn = (isSecond: boolean): NumberStyle =>
    stacking === "100"
      ? { format: ".0%" }
      : (series.find((_, index) => second.has(index) === isSecond)?.measure.field ?? {});
  const guidelines = readGuidelines(frame, guidelineValues(points, second, stacking));
  const isNamed = !scale && axisLooks.x.hasLabels;
  const names = fitNames(
    series.map(({ name }) => name),
    Math.min(140, area.width * 0.25),
    12,
    600,
  );
  const direct = isDirect ? Math.max(...names.map((name) => measureText(name, 12, 600))) + 10 : 8;
  const titles = titleAxes(frame, {
    x: category?.name ?? "",
    y: measureNames(series, second, false),
    y2: measureNames(series, second, true),
  });
  const typicalWidth = area.width - 48 - direct - titles.left - titles.right;
  const placedNames = isNamed ? placeNames(frame, texts, typicalWidth * placed.step) : undefined;
  const below =
    (axisLooks.x.hasLabels ? (placedNames?.height ?? (scale ? 40 : 24)) : 8) + titles.bottom;
  const axisOn = (isSecond: boolean): ValueAxis => {
    const look = axisLooks[isSecond ? "y2" : "y"];
    const own = [...looks.keys()].filter((index) => second.has(index) === isSecond);
    const values = valuesOn(isSecond);
    const axis = valueAxis(
      isSecond ? values : [...values, ...guidelines.map(({ value }) => value)],
      {
        length: area.height - below,
        fromZero: own.some((index) => ["bar", "area"].includes(looks[index]?.shape ?? "")),
        style: styleOn(isSecond),
        localeId,
        look: stacking ? { ...look, logBase: undefined } : look,
      },
    );
    noteAxis(frame, axis, { look, values });
    return axis;
  };
  const axis = axisOn(false);
  const other = second.size > 0 ? axisOn(true) : undefined;
  const left = axisWidth(axis, axisLooks.y) + titles.left;
  const right = other ? axisWidth(other, axisLooks.y2) + titles.right : direct;
  const above = other && titles.left + titles.right === 0 ? 24 : 8;
  const plot: Area = {
    x: area.x + left,
    y: area.y + above,
    width: area.width - left - right,
    height: area.height - below - above,
  };
  const lastIndex = places.at(-1)?.index;
  const isLastUnfinished = scale !== undefined && isUnfinished(frame, category, scale);
  return {
    ...placed,
    series,
    looks,
    points,
    second,
    stacking,
    category,
    texts,
    names,
    placedNames,
    axis,
    axisStyle: styleOn(false),
    axisLooks,
    guidelines,
    titles,
    other,
    unfinished: isLastUnfinished ? lastIndex : undefined,
    plot,
    x: (at) => plot.x + at * plot.width,
    y: (index, value) =>
      plot.y + (1 - (second.has(index) && other ? other : axis).at(value)) * plot.height,
  };
}

/** Areas are stacked unless the option `mode` says otherwise; a single area has nothing to stack. */
function stackingOf(mode: unknown, looks: readonly LineLook[]): Stacking | undefined {
  if (looks.length < 2 || looks.some(({ shape }) => shape !== "area")) return undefined;
  if (mode === "unstacked") return undefined;
  return mode === "100" || mode === "stream" ? mode : "stacked";
}

/** Returns the values that guidelines summarize: those of the first axis, or the totals of stacked areas. */
function guidelineValues(
  points: LaidLines["points"],
  second: ReadonlySet<number>,
  stacking: Stacking | undefined,
): number[] {
  const shown = stacking ? points.slice(-1) : points.filter((_, index) => !second.has(index));
  return shown.flatMap((each) =>
    each.flatMap(({ to, isGap, index }) =>
      isGap || (!stacking && index === undefined) ? [] : [to],
    ),
  );
}

function measureNames(
  series: readonly Series[],
  second: ReadonlySet<number>,
  isSecond: boolean,
): string {
  const own = series.filter((_, index) => second.has(index) === isSecond);
  return [...new Set(own.map(({ measure }) => measure.name))].join(", ");
}
