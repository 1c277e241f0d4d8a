import type { Area, Frame } from "../frame/frame.ts";
import { line } from "../frame/nodes.ts";
import type { AxisLook } from "./axisLook.ts";

/** Draws the grid lines of an axis of categories at the given pixels; nothing if the axis has none. */
export function drawCategoryGrid(
  { nodes, request: { theme } }: Frame,
  { grid }: Pick<AxisLook, "grid">,
  at: readonly number[],
  { plot, isUpright }: { readonly plot: Area; readonly isUpright: boolean },
): void {
  if (!grid) return;
  const { dash, opacity } = grid;
  const style = {
    stroke: opacity === undefined ? theme.grid : theme.axis,
    ...(dash && { dash }),
    ...(opacity !== undefined && { opacity }),
  };
  for (const each of at)
    nodes.push(
      isUpright
        ? line([each, plot.y], [each, plot.y + plot.height], style)
        : line([plot.x, each], [plot.x + plot.width, each], style),
    );
}
