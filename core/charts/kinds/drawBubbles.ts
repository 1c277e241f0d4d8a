import { hierarchy, pack } from "d3-hierarchy";
import { readableOn } from "../color/contrast.ts";
import { markOf, type Frame } from "../frame/frame.ts";
import { circle, text } from "../frame/nodes.ts";
import { fitText } from "../text/fitText.ts";
import { partsOf, type Part } from "./partsOf.ts";

/** Draws values as packed circles, with names and values where they fit. */
export function drawBubbles(frame: Frame): void {
  const { nodes, area } = frame;
  const { measure, parts } = partsOf(frame);
  if (parts.length === 0) return;
  // Shares of the largest: the squares of values such as 1e300 would overflow.
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
    const name = fitText(part.name, r * 1.7, 12, 600);
    if (r < 22 || (name !== part.name && name.length < 5)) continue;
    const fill = readableOn(part.color, "#ffffff", "#14161a");
    nodes.push(text(area.x + x, area.y + y, name, { fill, weight: 600, anchor: "middle" }));
    nodes.push(
      text(area.x + x, area.y + y + 15, fitText(shown, r * 1.6, 12), { fill, anchor: "middle" }),
    );
  }
}
