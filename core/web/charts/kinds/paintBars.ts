import type { ValueAxis } from "../axes/valueAxis.ts";
import { readableOn } from "../color/contrast.ts";
import { markOf, type Area, type Frame } from "../frame/frame.ts";
import { line, rect, text } from "../frame/nodes.ts";
import { objectOf } from "../item/readItem.ts";
import { measureText } from "../text/measureText.ts";
import { unfinishedOpacity } from "./isUnfinished.ts";
import type { Bar, LaidBars } from "./layBars.ts";

/** Maximum thickness of a bar in pixels, so that a few bars do not become blocks. */
const widestBar = 72;

/** The texts of bars, and the room in pixels that they need beyond the ends of the bars. */
export interface BarTexts {
  /** Returns the label of a bar; undefined if bars have no labels. */
  readonly of: ((bar: Bar) => string) | undefined;
  /** Whether the total of each stack is written at its end. */
  readonly hasTotals: boolean;
  /** Whether labels at the ends of columns are turned, because they are wider than the columns. */
  readonly isTurned: boolean;
  readonly before: number;
  readonly after: number;
}

interface Placing {
  readonly bars: readonly Bar[];
  readonly plot: Area;
  readonly axis: Pick<ValueAxis, "at">;
  readonly isUpright: boolean;
  readonly texts: BarTexts;
  /** Colour of the line from which the bars grow. */
  readonly lineColor: string;
}

/** Returns the thickness in pixels of a group of bars, of the lane of a series in it, and of a bar. */
export function laneOf({ mode, series, isBinned, placed }: LaidBars, band: number) {
  const lanes = mode === "grouped" ? Math.max(1, series.length) : 1;
  const group = isBinned
    ? Math.max(1, band - 1)
    : Math.min(band * (lanes > 1 ? 0.84 : 0.72), widestBar * lanes);
  const lane = group / lanes;
  const gap = lanes > 1 && lane > 4 ? 1 : 0;
  const thinnest = placed.scale ? 1 : 0.5;
  return { lanes, group, lane, thickness: Math.max(thinnest, lane - gap) };
}

/** Returns the total of each category, and the text of the total. */
export function totalsOf({ bars, series, categories }: LaidBars) {
  const totals = new Map<number, number>();
  for (const { category, value } of bars)
    if (value !== null) totals.set(category, (totals.get(category) ?? 0) + value);
  return categories.flatMap((_, category) => {
    const total = totals.get(category);
    return total === undefined
      ? []
      : [{ category, total, shown: series[0]?.measure.text(total) ?? "" }];
  });
}

/** Paints bars with their labels. The bar of an unfinished period is lighter and has a dashed outline. */
export function paintBars(
  { nodes, request: { theme, item }, words }: Frame,
  laid: LaidBars,
  { bars, plot, axis, isUpright, texts, lineColor }: Placing,
): void {
  const { series, names, mode, hasSeries, spots, step } = laid;
  const length = isUpright ? plot.width : plot.height;
  const { lanes, group, lane, thickness } = laneOf(laid, step * length);
  const { roundedCorners } = objectOf<"roundedCorners">(item.options.bars);
  const radius =
    typeof roundedCorners === "number" ? Math.min(20, roundedCorners, thickness / 2) : 0;
  const totals = new Map(
    mode === "grouped" ? [] : totalsOf(laid).map((each) => [each.category, each]),
  );
  const zero = axis.at(0);
  /** The pixels of a value on the value axis. */
  const pixels = (share: number) =>
    isUpright ? plot.y + (1 - share) * plot.height : plot.x + share * plot.width;
  const ends = new Map<number, { from: number; to: number }>();
  for (const bar of bars) {
    const { category, series: number, from, to, value } = bar;
    const one = series[number]!;
    const along =
      (isUpright ? plot.x : plot.y) +
      (spots[category] ?? 0) * length -
      group / 2 +
      (lanes > 1 ? number * lane : 0);
    const [start, end] = [pixels(axis.at(from)), pixels(axis.at(to))];
    const shown = one.measure.text(value);
    const fill = laid.colorOf(bar);
    const total = totals.get(category);
    const mark = {
      ...markOf(one.rows[category], names[category] ?? "", hasSeries ? one.name : "", shown),
      ...(total && { whole: { name: words.total, value: total.shown } }),
    };
    const style = {
      fill,
      mark,
      ...(radius > 0 && { radius }),
      ...(category === laid.unfinished && {
        opacity: unfinishedOpacity,
        stroke: fill,
        strokeWidth: 1,
        dash: [3, 3] as const,
      }),
    };
    nodes.push(
      isUpright
        ? rect(along, end, thickness, start - end, style)
        : rect(start, along, end - start, thickness, style),
    );
    const known = ends.get(category) ?? { from: zero, to: zero };
    known.from = Math.min(known.from, axis.at(to));
    known.to = Math.max(known.to, axis.at(to));
    ends.set(category, known);
    const label = texts.of?.(bar) ?? "";
    if (label === "" || value === null) continue;
    const middle = along + thickness / 2;
    if (mode === "grouped") labelEnd(label, middle, end, value < 0);
    else labelInside(label, middle, start, end, fill);
  }
  if (texts.hasTotals)
    for (const { category, total, shown } of totals.values()) {
      const { from, to } = ends.get(category) ?? { from: zero, to: zero };
      const middle = (isUpright ? plot.x : plot.y) + (spots[category] ?? 0) * length;
      labelEnd(shown, middle, pixels(total < 0 ? from : to), total < 0, theme.text);
    }
  const at = pixels(zero);
  nodes.push(
    isUpright
      ? line([plot.x, at], [plot.x + plot.width, at], { stroke: lineColor })
      : line([at, plot.y], [at, plot.y + plot.height], { stroke: lineColor }),
  );

  /** Writes a text beyond the end of a bar: above or to the right, and for negative values below or to the left. */
  function labelEnd(
    shown: string,
    middle: number,
    end: number,
    isNegative: boolean,
    fill: string = theme.muted,
  ): void {
    if (!isUpright) {
      const x = isNegative ? end - 6 : end + 6;
      nodes.push(text(x, middle + 4, shown, { fill, anchor: isNegative ? "end" : "start" }));
    } else if (texts.isTurned) {
      const anchor = isNegative ? "end" : "start";
      const y = isNegative ? end + 5 : end - 5;
      nodes.push(text(middle + 4, y, shown, { fill, anchor, angle: -90 }));
    } else {
      const y = isNegative ? end + 14 : end - 5;
      nodes.push(text(middle, y, shown, { fill, anchor: "middle" }));
    }
  }

  /** Writes a text in the middle of a stacked bar if there is room for it. */
  function labelInside(shown: string, middle: number, start: number, end: number, on: string) {
    const wide = measureText(shown, 12) + 6;
    const size = Math.abs(end - start);
    if (isUpright ? wide > thickness || size < 15 : wide > size || thickness < 14) return;
    const style = { fill: readableOn(on, "#ffffff", "#14161a"), anchor: "middle" } as const;
    const between = (start + end) / 2;
    nodes.push(
      isUpright ? text(middle, between + 4, shown, style) : text(between, middle + 4, shown, style),
    );
  }
}
