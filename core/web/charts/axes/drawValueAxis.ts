import { line, text } from "../frame/nodes.ts";
import type { Area, Frame } from "../frame/frame.ts";
import { measureText } from "../text/measureText.ts";
import type { AxisLook } from "./axisLook.ts";
import type { ValueAxis } from "./valueAxis.ts";

const size = 12;

/** Where an axis stands: its side, and its look if the item has options for it. */
export interface AxisPlace {
  readonly side?: "left" | "right" | "bottom";
  readonly look?: Pick<AxisLook, "color" | "lineColor" | "hasLabels" | "grid">;
}

/** Returns the width in pixels that the labels of a vertical axis need. */
export function axisWidth({ ticks, format }: ValueAxis, look?: AxisPlace["look"]): number {
  if (look?.hasLabels === false) return 0;
  return Math.max(0, ...ticks.map((tick) => measureText(format(tick), size))) + 8;
}

/** Draws the grid lines of a value axis, with the value of each line next to it. The line at 0 is stronger. */
export function drawValueAxis(
  { nodes, request: { theme } }: Frame,
  axis: ValueAxis,
  plot: Area,
  { side = "left", look }: AxisPlace = {},
): void {
  const { hasLabels = true, color, lineColor = theme.axis } = look ?? {};
  const grid = look ? look.grid : {};
  const isLying = side === "bottom";
  for (const tick of axis.ticks) {
    const share = axis.at(tick);
    const [x, y] = [plot.x + share * plot.width, plot.y + (1 - share) * plot.height];
    if (grid) drawGridLine(share, tick);
    if (!hasLabels) continue;
    const shown = axis.format(tick);
    const below = plot.y + plot.height + 16;
    const style = {
      fill: color ?? theme.muted,
      anchor: isLying ? "middle" : side === "left" ? "end" : "start",
    } as const;
    if (isLying) nodes.push(text(x, below, shown, style));
    else
      nodes.push(text(side === "left" ? plot.x - 8 : plot.x + plot.width + 8, y + 4, shown, style));
  }

  function drawGridLine(share: number, tick: number): void {
    const { dash, opacity } = look?.grid ?? {};
    const isZero = tick === 0;
    const style = {
      stroke: isZero ? lineColor : theme.grid,
      ...(dash && !isZero && { dash }),
      ...(opacity !== undefined && !isZero && { stroke: theme.axis, opacity }),
    };
    const [x, y] = [plot.x + share * plot.width, plot.y + (1 - share) * plot.height];
    nodes.push(
      isLying
        ? line([x, plot.y], [x, plot.y + plot.height], style)
        : line([plot.x, y], [plot.x + plot.width, y], style),
    );
  }
}
