import {
  hierarchy,
  treemap,
  treemapDice,
  treemapSlice,
  treemapSliceDice,
  treemapSquarify,
} from "d3-hierarchy";
import { readableOn } from "../color/contrast.ts";
import { markOf, type Frame } from "../frame/frame.ts";
import { rect, text } from "../frame/nodes.ts";
import { measureText } from "../text/measureText.ts";
import { nameLines } from "../text/nameLines.ts";
import { numberIn } from "../item/numberIn.ts";
import { objectOf } from "../item/readItem.ts";
import { partsOf, valueText, type Part } from "./partsOf.ts";

const lineHeight = 15;

/** How the parts are arranged, by the value of the option. */
const tilings: ReadonlyMap<unknown, typeof treemapDice> = new Map([
  ["slice", treemapSlice],
  ["dice", treemapDice],
  ["slice-dice", treemapSliceDice],
]);

interface Node {
  readonly part?: Part;
  readonly children?: readonly Node[];
}

/** Draws values as areas of a rectangle, grouped by colour, with names and values where they fit. */
export function drawTreemap(frame: Frame): void {
  const { measure, parts } = partsOf(frame);
  const { nodes, area, request } = frame;
  const { options } = request.item;
  const display = objectOf<"labels" | "values">(options.display);
  const written = valueText(frame, { measure, parts }, display.values);
  const radius = numberIn(options.roundedCorners, 0, 24) ?? 2;
  if (parts.length === 0) return;
  const most = Math.max(...parts.map(({ value }) => value));
  const groups = new Map<string, Node[]>();
  for (const part of parts) groups.set(part.group, [...(groups.get(part.group) ?? []), { part }]);
  const root = hierarchy<Node>({ children: [...groups.values()].map((children) => ({ children })) })
    .sum(({ part }) => (part?.value ?? 0) / most)
    .sort((one, other) => (other.value ?? 0) - (one.value ?? 0));
  const laid = treemap<Node>()
    .size([area.width, area.height])
    .tile(tilings.get(options.mode) ?? treemapSquarify)
    .paddingInner(numberIn(options.padding, 0, 20) ?? 2)(root);
  for (const { x0, x1, y0, y1, data } of laid.leaves()) {
    const { part } = data;
    if (!part) continue;
    const shown = measure ? measure.text(part.value) : "";
    const [x, y, width, height] = [area.x + x0, area.y + y0, x1 - x0, y1 - y0];
    nodes.push(
      rect(x, y, width, height, {
        fill: part.color,
        radius: Math.min(radius, width / 2, height / 2),
        mark: markOf(part.row, part.name, part.group, shown),
      }),
    );
    const fill = readableOn(part.color, "#ffffff", "#14161a");
    const isNamed = display.labels !== false;
    const room = isNamed ? Math.min(3, Math.floor((height - 7) / lineHeight)) : 0;
    const names = nameLines(part.name, width - 12, room, { size: 12, weight: 600 });
    for (const [line, name] of names.entries())
      nodes.push(text(x + 6, y + 16 + line * lineHeight, name, { fill, weight: 600 }));
    // A number is shown in full or omitted, because part of it would be a different number.
    const value = written(part);
    if (names.length > 0 && names.length < room && measureText(value, 12) <= width - 12)
      nodes.push(text(x + 6, y + 16 + names.length * lineHeight, value, { fill }));
  }
}
