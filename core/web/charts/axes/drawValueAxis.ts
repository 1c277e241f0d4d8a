import { line, text } from "../frame/nodes.ts";
import type { Area, Frame } from "../frame/frame.ts";
import { measureText } from "../text/measureText.ts";
import type { ValueAxis } from "./valueAxis.ts";

const size = 12;

/** Returns the width in pixels that the labels of a vertical axis need. */
export function axisWidth({ ticks, format }: ValueAxis): number {
  return Math.max(0, ...ticks.map((tick) => measureText(format(tick), size))) + 8;
}

/** Draws the grid lines of a value axis, with the value of each line next to it. The line at 0 is stronger. */
export function drawValueAxis(
  { nodes, request: { theme } }: Frame,
  axis: ValueAxis,
  plot: Area,
  side: "left" | "right" | "bottom" = "left",
): void {
  for (const tick of axis.ticks) {
    const share = axis.at(tick);
    const stroke = tick === 0 ? theme.axis : theme.grid;
    const shown = axis.format(tick);
    if (side === "bottom") {
      const x = plot.x + share * plot.width;
      nodes.push(line([x, plot.y], [x, plot.y + plot.height], { stroke }));
      nodes.push(
        text(x, plot.y + plot.height + 16, shown, { fill: theme.muted, anchor: "middle" }),
      );
      continue;
    }
    const y = plot.y + (1 - share) * plot.height;
    if (side === "left") nodes.push(line([plot.x, y], [plot.x + plot.width, y], { stroke }));
    const [x, anchor] =
      side === "left"
        ? ([plot.x - 8, "end"] as const)
        : ([plot.x + plot.width + 8, "start"] as const);
    nodes.push(text(x, y + 4, shown, { fill: theme.muted, anchor }));
  }
}
