import { arc, pie, type PieArcDatum } from "d3-shape";
import { readableOn } from "../color/contrast.ts";
import { numberFormat, tickFormat } from "../format/numberFormats.ts";
import { markOf, type Frame } from "../frame/frame.ts";
import { path, rect, text } from "../frame/nodes.ts";
import { fitText } from "../text/fitText.ts";
import { measureText } from "../text/measureText.ts";
import { laySlices, lineHeight, type LaidSlices, type Slice } from "./laySlices.ts";
import { moved } from "./moved.ts";

/**
 * Draws a pie or a ring, with a list of its slices' names, values and shares next to it. Slices beyond the sixth are
 * combined.
 */
export function drawSlices(frame: Frame): void {
  const laid = laySlices(frame);
  if (!laid) return;
  const format = numberFormat({ format: ".0%" }, frame.request.localeId);
  const shareOf = (value: number) => format(value / laid.total);
  frame.legend = laid.slices.map(({ name, color }) => ({ name, color }));
  paintSlices(frame, laid, shareOf);
  if (laid.isRing && laid.radius > 56) paintTotal(frame, laid);
  paintList(frame, laid, shareOf);
}

type ShareOf = (value: number) => string;

function paintSlices({ nodes, request }: Frame, laid: LaidSlices, shareOf: ShareOf): void {
  const { slices, measure, total, isRing, radius, x, y } = laid;
  const outline = arc<PieArcDatum<Slice>>()
    .innerRadius(isRing ? radius * 0.62 : 0)
    .outerRadius(radius)
    .digits(2);
  const arcs = pie<Slice>()
    .value(({ value }) => value)
    .sort(null)([...slices]);
  for (const each of arcs) {
    const { name, color, value, row } = each.data;
    const shown = `${measure.text(value)} (${shareOf(value)})`;
    nodes.push(
      path(moved(outline(each) ?? "", x, y), {
        fill: color,
        stroke: request.theme.background,
        strokeWidth: 2,
        mark: markOf(row, name, "", shown),
      }),
    );
    if (value / total < 0.06 || radius <= 60) continue;
    const middle = (each.startAngle + each.endAngle) / 2;
    const depth = isRing ? radius * 0.81 : radius * 0.66;
    nodes.push(
      text(x + Math.sin(middle) * depth, y - Math.cos(middle) * depth + 4, shareOf(value), {
        fill: readableOn(color, "#ffffff", "#14161a"),
        weight: 600,
        anchor: "middle",
      }),
    );
  }
}

/** Writes the total in the middle of a ring. */
function paintTotal({ nodes, request, words }: Frame, laid: LaidSlices): void {
  const { measure, total, radius, x, y } = laid;
  const { theme, localeId } = request;
  const room = radius * 1.1;
  const full = measure.text(total);
  // A total that is too long for the ring is shortened to three digits.
  const short = tickFormat([0, total / 100, total], measure.field, localeId);
  const isLong = measureText(full, 20, 600) > room;
  const shown = fitText(isLong ? short(total) : full, room, 20, 600);
  nodes.push(text(x, y + 4, shown, { fill: theme.text, size: 20, weight: 600, anchor: "middle" }));
  nodes.push(text(x, y + 22, words.total, { fill: theme.muted, anchor: "middle" }));
}

/** Lists the slices with their shares. Values are included if there is enough room for them next to the full names. */
function paintList({ nodes, area, request }: Frame, laid: LaidSlices, shareOf: ShareOf): void {
  const { slices, measure, list } = laid;
  const { theme } = request;
  const room = area.x + area.width - list.x;
  const valueWidth = Math.max(
    0,
    ...slices.map(({ value }) => measureText(measure.text(value), 13)),
  );
  const longest = Math.max(0, ...slices.map(({ name }) => measureText(name, 13)));
  const hasValues = room >= 20 + longest + valueWidth + 62;
  const valueRoom = hasValues ? valueWidth + 14 : 0;
  const end = list.x + Math.min(room, 20 + longest + valueRoom + 62);
  for (const [index, { name, color, value }] of slices.entries()) {
    const base = list.y + index * lineHeight + 16;
    nodes.push(rect(list.x, base - 10, 12, 12, { fill: color, radius: 2 }));
    nodes.push(
      text(list.x + 20, base, fitText(name, end - list.x - 20 - valueRoom - 40, 13), {
        fill: theme.text,
        size: 13,
      }),
    );
    if (hasValues)
      nodes.push(
        text(end - 48, base, measure.text(value), { fill: theme.text, size: 13, anchor: "end" }),
      );
    nodes.push(text(end, base, shareOf(value), { fill: theme.muted, size: 13, anchor: "end" }));
  }
}
