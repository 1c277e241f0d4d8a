import type { ChartCell, Scene, SceneNode } from "../../../../../core/web/charts/index.ts";
import { drawSample, type DrawnSize } from "../drawSample.ts";

/** A chart of one or more measures by a category, with an optional legend. */
export interface TestChart {
  readonly type: string;
  /** The level of the category if it is a datetime; absent for names. */
  readonly level?: number;
  readonly hasLegend?: boolean;
  readonly measureCount?: number;
  readonly options?: object;
  readonly rows: readonly (readonly ChartCell[])[];
}

/** Draws a chart without a title, so that its notes are its first line. */
export function drawChart(
  { type, level, hasLegend = false, measureCount = 1, options = {}, rows }: TestChart,
  size: Partial<DrawnSize> = {},
): Scene {
  const column = (label: string, more: object) => ({
    label: { en: label },
    columnId: label,
    datasetId: "d",
    ...more,
  });
  const category =
    level === undefined
      ? column("Category", { type: "hierarchy" })
      : column("Time", { type: "datetime", level });
  const measures = Array.from({ length: measureCount }, (_, index) =>
    column(`Measure ${index}`, { type: "numeric", aggregationFunc: "sum", format: ",.0f" }),
  );
  const stored = {
    type,
    options: { display: { title: false }, ...options },
    slots: [
      { name: ["bar-chart"].includes(type) ? "y-axis" : "x-axis", content: [category] },
      { name: "legend", content: hasLegend ? [column("Legend", { type: "hierarchy" })] : [] },
      { name: "measure", content: measures },
    ],
  };
  return drawSample(
    { name: "", stored, rows },
    { width: 640, height: 320, theme: "light", ...size },
  );
}

/** Returns the rectangles of a scene that carry data. */
export function barsOf({ nodes }: Scene): Extract<SceneNode, { kind: "rect" }>[] {
  return nodes.flatMap((node) => (node.kind === "rect" && node.mark ? [node] : []));
}

/** Returns the lines of text of a scene. */
export function textsOf({ nodes }: Scene): Extract<SceneNode, { kind: "text" }>[] {
  return nodes.flatMap((node) => (node.kind === "text" ? [node] : []));
}

/** Returns the paths of a scene that are drawn with a width above 1: lines and curves, not the grid. */
export function linesOf({ nodes }: Scene): Extract<SceneNode, { kind: "path" }>[] {
  return nodes.flatMap((node) =>
    node.kind === "path" && node.stroke !== undefined && (node.strokeWidth ?? 1) > 1 ? [node] : [],
  );
}

/** Returns the days of a month, as cells. */
export function daysOf(month: string, days: readonly number[]): string[] {
  return days.map((day) => `${month}-${String(day).padStart(2, "0")}T00:00:00.000Z`);
}
