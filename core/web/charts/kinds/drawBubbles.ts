import { hierarchy, pack } from "d3-hierarchy";
import { readableOn } from "../color/contrast.ts";
import { markOf, type Frame } from "../frame/frame.ts";
import { circle, text } from "../frame/nodes.ts";
import { measureText } from "../text/measureText.ts";
import { nameLines } from "../text/nameLines.ts";
import { objectOf } from "../item/readItem.ts";
import { partsOf, valueText, type Part } from "./partsOf.ts";

const lineHeight = 15;

/** Draws values as packed circles, with names and values in the circles that have room for them. */
export function drawBubbles(frame: Frame): void {
  const { measure, parts } = partsOf(frame);
  const { nodes, area, request } = frame;
  const display = objectOf<"bubbleLabels" | "bubbleValues">(request.item.options.display);
  const value = valueText(frame, { measure, parts }, display.bubbleValues);
  if (parts.length === 0) return;
  // Values are divided by the largest value, because squaring values such as 1e300 would overflow.
  const most = Math.max(...parts.map(({ value }) => value));
  const root = hierarchy<{
    readonly part?: Part;
    readonly children?: readonly { readonly part: Part }[];
  }>({
    children: parts.map((part) => ({ part })),
  }).sum(({ part }) => (part?.value ?? 0) / most);
  const packed = pack<{ readonly part?: Part }>()
    .size([Math.max(1, area.width), Math.max(1, area.height)])
    .padding(3)(root);
  for (const { x, y, r, data } of packed.leaves()) {
    const { part } = data;
    if (!part) continue;
    const shown = measure ? measure.text(part.value) : "";
    nodes.push(
      circle(area.x + x, area.y + y, r, {
        fill: part.color,
        mark: markOf(part.row, part.name, part.group, shown),
      }),
    );
    const fill = readableOn(part.color, "#ffffff", "#14161a");
    // The lines fit into a square within the circle, or into a wider and flatter rectangle.
    const room = r < 20 || display.bubbleLabels === false ? 0 : r < 30 ? 1 : r < 44 ? 2 : 3;
    const names = nameLines(part.name, r * (room > 1 ? 1.6 : 1.8), room, { size: 12, weight: 600 });
    const below = value(part);
    const isRoomy = names.length > 0 && r >= 24;
    const hasValue = below !== "" && isRoomy && measureText(below, 12) <= r * 1.6;
    const first = area.y + y + 4 - ((names.length - (hasValue ? 0 : 1)) * lineHeight) / 2;
    const lines = hasValue ? [...names, below] : names;
    for (const [line, written] of lines.entries())
      nodes.push(
        text(area.x + x, first + line * lineHeight, written, {
          fill,
          weight: line < names.length ? 600 : 400,
          anchor: "middle",
        }),
      );
  }
}
