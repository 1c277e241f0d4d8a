import { hierarchy, treemap } from "d3-hierarchy";
import { readableOn } from "../color/contrast.ts";
import { markOf, type Frame } from "../frame/frame.ts";
import { rect, text } from "../frame/nodes.ts";
import { fitText } from "../text/fitText.ts";
import { partsOf, type Part } from "./partsOf.ts";

interface Node {
  readonly part?: Part;
  readonly children?: readonly Node[];
}

/** Draws values as areas of a rectangle, grouped by colour, with names and values where they fit. */
export function drawTreemap(frame: Frame): void {
  const { measure, parts } = partsOf(frame);
  const { nodes, area } = frame;
  if (parts.length === 0) return;
  const most = Math.max(...parts.map(({ value }) => value));
  const groups = new Map<string, Node[]>();
  for (const part of parts) groups.set(part.group, [...(groups.get(part.group) ?? []), { part }]);
  const root = hierarchy<Node>({ children: [...groups.values()].map((children) => ({ children })) })
    .sum(({ part }) => (part?.value ?? 0) / most)
    .sort((one, other) => (other.value ?? 0) - (one.value ?? 0));
  const laid = treemap<Node>().size([area.width, area.height]).paddingInner(2)(root);
  for (const { x0, x1, y0, y1, data } of laid.leaves()) {
    const { part } = data;
    if (!part) continue;
    const shown = measure ? measure.text(part.value) : "";
    const [x, y, width, height] = [area.x + x0, area.y + y0, x1 - x0, y1 - y0];
    nodes.push(
      rect(x, y, width, height, {
        fill: part.color,
        radius: 2,
        mark: markOf(part.row, part.name, part.group, shown),
      }),
    );
    const fill = readableOn(part.color, "#ffffff", "#14161a");
    const name = fitText(part.name, width - 12, 12, 600);
    if (height < 22 || (name !== part.name && name.length < 5)) continue;
    nodes.push(text(x + 6, y + 16, name, { fill, weight: 600 }));
    if (height > 38) nodes.push(text(x + 6, y + 32, fitText(shown, width - 12, 12), { fill }));
  }
}
