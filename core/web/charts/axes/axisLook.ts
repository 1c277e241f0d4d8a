import { readColor } from "../color/readColor.ts";
import type { Frame } from "../frame/frame.ts";
import { listOf, objectOf } from "../item/readItem.ts";
import { dashes, type Dash } from "./dashes.ts";
import { shortestSpan, type ValueScale } from "./valueAxis.ts";

/** The names of axes in options: horizontal, vertical, and vertical on the opposite side. */
export type AxisName = "x" | "y" | "y2";

/** How the lines of a grid are drawn. */
interface GridLook {
  readonly dash: Dash | undefined;
  readonly opacity: number | undefined;
}

/** The look of an axis, read from the options of the item. */
export interface AxisLook extends ValueScale {
  /** Colour of the labels; undefined for their usual colour. */
  readonly color: string | undefined;
  /** Colour of the line of the axis. */
  readonly lineColor: string;
  readonly hasLabels: boolean;
  /** Whether the options say that the axis has labels or grid lines. */
  readonly isRequested: boolean;
  /** Undefined for an axis without grid lines. */
  readonly grid: GridLook | undefined;
}

const densities: ReadonlyMap<unknown, number> = new Map([
  ["compact", 2],
  ["sparse", 0.5],
]);

/**
 * Reads the look of an axis from the options `axis` and `grid`. Without options, axes of values have grid lines, and
 * axes of categories have none.
 */
export function axisLook(
  { request }: Frame,
  name: AxisName,
  kind: "values" | "categories",
): AxisLook {
  const { theme, item } = request;
  const stored = objectOf<
    "color" | "ticksMode" | "ticksDensity" | "scale" | "scaleLogBase" | "type" | "manualAxesRange"
  >(objectOf(item.options.axis)[name]);
  const grid = objectOf<"enabled" | "style" | "opacity">(objectOf(item.options.grid)[name]);
  const color = readColor(stored.color, theme.background);
  // A second axis would have a second grid.
  const isGridded = kind === "values" && name !== "y2";
  const mode = stored.ticksMode ?? (isGridded ? "gridlines" : "ticks");
  const hasGrid = typeof grid.enabled === "boolean" ? grid.enabled : mode === "gridlines";
  const { opacity } = grid;
  const base = stored.scaleLogBase;
  const isLog = kind === "values" && stored.scale === "logarithmic";
  return {
    color,
    lineColor: color ?? theme.axis,
    hasLabels: mode !== "hide",
    isRequested: stored.ticksMode !== undefined || grid.enabled === true,
    grid: hasGrid
      ? {
          dash: dashes.get(grid.style),
          opacity: typeof opacity === "number" && opacity >= 0 && opacity < 1 ? opacity : undefined,
        }
      : undefined,
    density: densities.get(stored.ticksDensity) ?? 1,
    logBase: isLog ? (typeof base === "number" && base > 1 && base < 1e6 ? base : 10) : undefined,
    range: stored.type === "manual" ? axisRange(stored.manualAxesRange) : undefined,
    isVariable: stored.type === "variable",
  };
}

/** Returns the ends of an axis from an option; undefined unless they are two numbers in ascending order. */
export function axisRange(stored: unknown): readonly [low: number, high: number] | undefined {
  const [low, high] = listOf(stored);
  if (typeof low !== "number" || typeof high !== "number") return undefined;
  return high - low >= shortestSpan && Number.isFinite(high - low) ? [low, high] : undefined;
}
