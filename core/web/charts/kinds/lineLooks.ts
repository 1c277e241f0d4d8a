import { readColor } from "../color/readColor.ts";
import type { Frame } from "../frame/frame.ts";
import type { Curve } from "../frame/linePath.ts";
import type { Series } from "../frame/pivotRows.ts";
import { listOf, objectOf } from "../item/readItem.ts";

/** The shape in which a series is drawn. */
export type LineShape = "line" | "area" | "bar" | "scatter";

/**
 * What is drawn for a missing period: a gap, the line between its neighbours, or a value. The names of the option are
 * `break`, `no` and `manual`.
 */
export type MissingPeriod = "gap" | "connection" | number;

/** The look of a series in a line, area or combination chart. */
export interface LineLook {
  readonly shape: LineShape;
  readonly color: string;
  readonly curve: Curve;
  readonly strokeWidth: number;
  /** Radius of the dots at values; 0 for none, undefined if it depends on their distance. */
  readonly radius: number | undefined;
  /** Radius of the corners of bars. */
  readonly roundedCorners: number;
  readonly missing: MissingPeriod;
  /** Whether the line has a gap where a row has no value. */
  readonly isBrokenByNull: boolean;
}

const curves: readonly Curve[] = ["linear", "step-before", "step-after", "monotone"];
const curveOf = (stored: unknown) => curves.find((curve) => curve === stored);
const shapes: readonly LineShape[] = ["bar", "area", "scatter", "line"];

/** Returns the look of each series. In combination charts, entries of the option `measures` set looks of their own. */
export function lineLooks(
  { request: { item, theme } }: Frame,
  series: readonly Series[],
): readonly LineLook[] {
  const { options } = item;
  const isCombination = item.type === "combination-chart";
  const measures = isCombination ? listOf(options.measures) : [];
  const lines = objectOf<"smooth" | "strokeWidth">(options.lines);
  const markers = objectOf<"enabled" | "size">(options.markers);
  const smooth = lines.smooth === true ? "monotone" : "linear";
  const markerSize = within(markers.size, 1, 20) ?? 4;
  const ownColor = series.length === 1 ? options.color : undefined;
  return series.map((one, index): LineLook => {
    const own = objectOf<
      | "type"
      | "color"
      | "interpolation"
      | "strokeWidth"
      | "radius"
      | "roundedCorners"
      | "missingValue"
    >(measures[index]);
    const usual = isCombination
      ? index === 0
        ? "bar"
        : "line"
      : item.type === "area-chart"
        ? "area"
        : "line";
    return {
      shape: shapes.find((shape) => shape === own.type) ?? usual,
      color: readColor(own.color ?? ownColor, theme.background) ?? one.color,
      curve: curveOf(own.interpolation) ?? curveOf(options.interpolation) ?? smooth,
      strokeWidth: within(own.strokeWidth, 1, 20) ?? within(lines.strokeWidth, 1, 20) ?? 2,
      radius:
        within(own.radius, 0, 40) ??
        (markers.enabled === true ? markerSize : markers.enabled === false ? 0 : undefined),
      roundedCorners: within(own.roundedCorners, 0, 20) ?? 0,
      missing: missingOf(own.missingValue ?? options.missingValue),
      isBrokenByNull: options.nullBreak !== false,
    };
  });
}

function missingOf(stored: unknown): MissingPeriod {
  const { type, value } = objectOf<"type" | "value">(stored);
  if (type === "no") return "connection";
  if (type !== "manual") return "gap";
  return typeof value === "number" && Number.isFinite(value) ? value : 0;
}

/** Returns a number of an option if it is in a range. */
function within(value: unknown, low: number, high: number): number | undefined {
  return typeof value === "number" && value >= low && value <= high ? value : undefined;
}
