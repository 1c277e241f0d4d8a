import { arc, pie, type PieArcDatum } from "d3-shape";
import { readableOn } from "../color/contrast.ts";
import { numberFormat, tickFormat } from "../format/numberFormats.ts";
import { isAdditive } from "../item/combine.ts";
import { markOf, type Frame } from "../frame/frame.ts";
import { path, rect, text } from "../frame/nodes.ts";
import { fitNames } from "../text/fitNames.ts";
import { fitText } from "../text/fitText.ts";
import { measureText } from "../text/measureText.ts";
import { laySlices, lineHeight, type LaidSlices, type Slice } from "./laySlices.ts";
import { numberIn } from "../item/numberIn.ts";
import { objectOf } from "../item/readItem.ts";
import { moved } from "./moved.ts";

/**
 * Draws a pie or a ring, with a list of its slices' names, values and shares next to it. The smallest slices and the
 * groups that the answer leaves out are combined. Only sums and counts have shares.
 */
export function drawSlices(frame: Frame): void {
  const laid = laySlices(frame);
  if (!laid) return;
  const format = numberFormat({ format: ".0%" }, frame.request.localeId);
  // Averages and the like are not parts of a whole, so they have no shares.
  const isWhole = isAdditive(laid.measure.field);
  const shareOf = (value: number) => (isWhole ? shareText(format, value / laid.shareSum) : "");
  frame.legend = laid.slices.map(({ name, color }) => ({ name, color }));
  paintSlices(frame, laid, shareOf);
  if (laid.isRing && laid.radius > 56) paintTotal(frame, laid);
  const { display } = frame.request.item.options;
  if (objectOf<"legend">(display).legend !== false) paintList(frame, laid, shareOf);
}

/** Length of an arc in pixels below which its edge would hide it. */
const thinPx = 5;

/** Returns a share, without making something nothing: a slice below half a percent is "< 1%". */
function shareText(format: (value: number) => string, share: number): string {
  return share > 0 && share < 0.005 ? `< ${format(0.01)}` : format(share);
}

type ShareOf = (value: number) => string;

function paintSlices({ nodes, request }: Frame, laid: LaidSlices, shareOf: ShareOf): void {
  const { slices, measure, shareSum, isRing, isHalf, radius, x, y } = laid;
  const { options } = request.item;
  const look = objectOf<"width" | "roundedCorners" | "padding">(options.slices);
  const thickness = numberIn(look.width, 0.05, 1) ?? 0.38;
  const padding = numberIn(look.padding, 0, 20) ?? 2;
  const { values } = objectOf<"values">(options.display);
  const written = (value: number) =>
    values === "none" ? "" : values === "absolute" ? measure.text(value) : shareOf(value);
  const outline = arc<PieArcDatum<Slice>>()
    .innerRadius(isRing ? radius * (1 - thickness) : 0)
    .outerRadius(radius)
    .cornerRadius(numberIn(look.roundedCorners, 0, 24) ?? 0)
    .digits(2);
  const arcs = pie<Slice>()
    .value(({ value }) => value)
    .startAngle(isHalf ? -Math.PI / 2 : 0)
    .endAngle(isHalf ? Math.PI / 2 : 2 * Math.PI)
    .sort(null)([...slices]);
  /** Returns the length of the outer edge of a slice, in pixels. */
  const arcLength = ({ startAngle, endAngle }: PieArcDatum<Slice>) =>
    (endAngle - startAngle) * radius;
  for (const each of arcs) {
    const { name, color, value, row } = each.data;
    const share = shareOf(value);
    const shown = share === "" ? measure.text(value) : `${measure.text(value)} (${share})`;
    // A white edge would cover a thin slice, so its edge has the colour of the slice.
    const isThin = arcLength(each) < thinPx;
    nodes.push(
      path(moved(outline(each) ?? "", x, y), {
        fill: color,
        // A white edge would cover a thin slice, so its edge has the colour of the slice.
        ...(isThin
          ? separator(color, 1)
          : separator(request.theme.background, Math.min(padding, arcLength(each) / 3))),
        mark: markOf(row, name, "", shown),
      }),
    );
    if (value / shareSum < 0.06 || radius <= 60) continue;
    const middle = (each.startAngle + each.endAngle) / 2;
    const depth = radius * (isRing ? 1 - thickness / 2 : 0.66);
    const shownShare = written(value);
    if (measureText(shownShare, 12, 600) > arcLength(each) * (depth / radius)) continue;
    nodes.push(
      text(x + Math.sin(middle) * depth, y - Math.cos(middle) * depth + 4, shownShare, {
        fill: readableOn(color, "#ffffff", "#14161a"),
        weight: 600,
        anchor: "middle",
      }),
    );
  }
}

const separator = (stroke: string, strokeWidth: number) =>
  strokeWidth > 0 ? { stroke, strokeWidth: Math.round(strokeWidth * 100) / 100 } : {};

/** Writes the total in the middle of a ring. */
function paintTotal({ nodes, request, words }: Frame, laid: LaidSlices): void {
  const { measure, total, radius, x } = laid;
  if (total === null) return;
  const y = laid.isHalf ? laid.y - 22 : laid.y;
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
  const hasValues = !isAdditive(measure.field) || room >= 20 + longest + valueWidth + 62;
  const valueRoom = hasValues ? valueWidth + 14 : 0;
  const end = list.x + Math.min(room, 20 + longest + valueRoom + 62);
  const names = fitNames(
    slices.map(({ name }) => name),
    end - list.x - 20 - valueRoom - 40,
    13,
  );
  for (const [index, { color, value }] of slices.entries()) {
    const base = list.y + index * lineHeight + 16;
    nodes.push(rect(list.x, base - 10, 12, 12, { fill: color, radius: 2 }));
    nodes.push(
      text(list.x + 20, base, names[index] ?? "", {
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
