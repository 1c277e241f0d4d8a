import { pack } from "d3-hierarchy";
import { readableOn } from "../color/contrast.ts";
import { markOf, type Frame } from "../frame/frame.ts";
import { circle, text } from "../frame/nodes.ts";
import { drawLegend } from "../frame/drawLegend.ts";
import { objectOf } from "../item/readItem.ts";
import { measureText } from "../text/measureText.ts";
import { nameLines } from "../text/nameLines.ts";
import { nestedHierarchy, type NestedNode } from "./nestedHierarchy.ts";
import { nestRows } from "./nestRows.ts";

const lineHeight = 14;

/** Draws nested values as circles within circles. The area of the innermost circles is proportional to their value. */
export function drawPacks(frame: Frame): void {
  const { nodes, request } = frame;
  const { theme, item } = request;
  const { values, levels, measure } = nestRows(frame);
  if (values.length === 0) return;
  const byDepth = objectOf<"colorByDepth">(item.options.circles).colorByDepth !== false;
  const isNested = levels.length > 1;
  if (isNested)
    drawLegend(
      frame,
      values.map(({ name, color }) => ({ name, color })),
    );
  const { area } = frame;
  const root = nestedHierarchy(values);
  const packed = pack<NestedNode>()
    .size([Math.max(1, area.width), Math.max(1, area.height)])
    .padding(isNested ? 4 : 3)(root);
  for (const { data, x, y, r } of packed.descendants()) {
    if (!("path" in data)) continue;
    const { children, depth, row, name, color } = data;
    const isLeaf = children.length === 0;
    const shown = measure ? measure.text(data.total) : "";
    const fill = byDepth || isLeaf ? color : theme.grid;
    nodes.push(
      circle(area.x + x, area.y + y, r, {
        fill,
        ...(!isLeaf && { opacity: depth === 0 ? 0.22 : 0.35 }),
        mark: markOf(row, data.path, "", shown),
      }),
    );
    if (!isLeaf) continue;
    const room = r < 18 ? 0 : r < 28 ? 1 : r < 42 ? 2 : 3;
    const names = nameLines(name, r * (room > 1 ? 1.6 : 1.8), room, { size: 11, weight: 600 });
    const hasValue = names.length > 0 && r >= 24 && measureText(shown, 11) <= r * 1.6;
    const lines = hasValue ? [...names, shown] : names;
    const first = area.y + y + 4 - ((lines.length - 1) * lineHeight) / 2;
    const ink = readableOn(fill, "#ffffff", "#14161a");
    for (const [line, written] of lines.entries())
      nodes.push(
        text(area.x + x, first + line * lineHeight, written, {
          fill: ink,
          size: 11,
          weight: line < names.length ? 600 : 400,
          anchor: "middle",
        }),
      );
  }
}
