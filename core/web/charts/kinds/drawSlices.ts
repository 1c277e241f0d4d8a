import { arc, pie, type PieArcDatum } from "d3-shape";
import { numberFormat, tickFormat } from "../format/numberFormats.ts";
import { objectOf } from "../item/readItem.ts";
import { readableOn, safeColor } from "../color/contrast.ts";
import { columnsIn, markOf, type Frame } from "../frame/frame.ts";
import { path, rect, text } from "../frame/nodes.ts";
import { fitText } from "../text/fitText.ts";
import { measureText } from "../text/measureText.ts";
import { moved } from "./moved.ts";

/** Slices that people can compare; the others are one. */
const sliceCount = 6;

interface Slice {
  readonly row: number | undefined;
  readonly name: string;
  readonly color: string;
  readonly value: number;
}

/** Draws a pie or a ring with the names, values and shares of its slices beside it. Beyond six, slices are one. */
export function drawSlices(frame: Frame): void {
  const { nodes, request, area, words, rows } = frame;
  const { theme, item, localeId, colors } = request;
  const [category] = columnsIn(frame, "category");
  const measures = columnsIn(frame, "measure");
  const [measure] = measures;
  if (!measure) return;
  const all: Slice[] = category
    ? rows.map((row, index) => ({
        row: index,
        name: category.text(row[category.cell]),
        color: colors.of(
          category.field.columnId ?? "",
          category.key(row[category.cell]),
          category.color(row[category.cell]),
        ),
        value: measure.number(row[measure.cell]) ?? 0,
      }))
    : measures.map((each, index) => ({
        row: 0,
        name: each.name,
        color: safeColor(each.field.color) ?? theme.series[index % theme.series.length] ?? "",
        value: each.number(rows[0]?.[each.cell]) ?? 0,
      }));
  const positive = all
    .filter(({ value }) => value > 0)
    .toSorted((one, other) => other.value - one.value);
  if (positive.length < all.length && all.some(({ value }) => value < 0))
    frame.notes.push("< 0: –");
  const { maxNumber } = objectOf(item.options["slices"]);
  const most =
    typeof maxNumber === "number" && maxNumber > 1 ? Math.min(maxNumber, 10) : sliceCount;
  const rest = positive.slice(most - 1);
  const slices =
    positive.length <= most
      ? positive
      : [
          ...positive.slice(0, most - 1),
          {
            row: undefined,
            name: `${words.other} (${rest.length})`,
            color: theme.axis,
            value: rest.reduce((sum, { value }) => sum + value, 0),
          },
        ];
  const total = slices.reduce((sum, { value }) => sum + value, 0);
  const share = numberFormat({ format: ".0%" }, localeId);
  frame.legend = slices.map(({ name, color }) => ({ name, color }));

  const isWide = area.width > area.height * 1.15;
  const listHeight = slices.length * 24;
  const radius = Math.max(
    10,
    Math.min(
      (isWide ? area.width * 0.45 : area.width) / 2,
      (isWide ? area.height : area.height - listHeight - 12) / 2,
      160,
    ),
  );
  const [x, y] = isWide
    ? [area.x + radius, area.y + area.height / 2]
    : [area.x + area.width / 2, area.y + radius];
  const isRing = item.options["mode"] !== "pie";
  const outline = arc<PieArcDatum<Slice>>()
    .innerRadius(isRing ? radius * 0.62 : 0)
    .outerRadius(radius)
    .digits(2);
  const laid = pie<Slice>()
    .value(({ value }) => value)
    .sort(null)(slices);
  for (const each of laid) {
    const { name, color, value, row } = each.data;
    const shown = `${measure.text(value)} (${share(value / total)})`;
    nodes.push(
      path(moved(outline(each) ?? "", x, y), {
        fill: color,
        stroke: theme.background,
        strokeWidth: 2,
        mark: markOf(row, name, "", shown),
      }),
    );
    const middle = (each.startAngle + each.endAngle) / 2;
    const label = share(value / total);
    const depth = isRing ? radius * 0.81 : radius * 0.66;
    if (value / total >= 0.06 && radius > 60)
      nodes.push(
        text(x + Math.sin(middle) * depth, y - Math.cos(middle) * depth + 4, label, {
          fill: readableOn(color, "#ffffff", "#14161a"),
          weight: 600,
          anchor: "middle",
        }),
      );
  }
  if (isRing && radius > 56) {
    const room = radius * 1.1;
    const full = measure.text(total);
    // A total that is too long for the ring is written with three digits.
    const short = tickFormat([0, total / 100, total], measure.field, localeId);
    const isLong = measureText(full, 20, 600) > room;
    const shown = fitText(isLong ? short(total) : full, room, 20, 600);
    nodes.push(
      text(x, y + 4, shown, { fill: theme.text, size: 20, weight: 600, anchor: "middle" }),
    );
    nodes.push(text(x, y + 22, words.total, { fill: theme.muted, anchor: "middle" }));
  }
  const left = isWide ? x + radius + 28 : area.x;
  const room = area.x + area.width - left;
  const valueWidth = Math.max(
    0,
    ...slices.map(({ value }) => measureText(measure.text(value), 13)),
  );
  const top = isWide ? y - listHeight / 2 : y + radius + 16;
  const longest = Math.max(0, ...slices.map(({ name }) => measureText(name, 13)));
  // Where names would be cut, the share is enough.
  const hasValues = room >= 20 + longest + valueWidth + 62;
  const valueRoom = hasValues ? valueWidth + 14 : 0;
  const end = left + Math.min(room, 20 + longest + valueRoom + 62);
  for (const [index, { name, color, value }] of slices.entries()) {
    const base = top + index * 24 + 16;
    nodes.push(rect(left, base - 10, 12, 12, { fill: color, radius: 2 }));
    nodes.push(
      text(left + 20, base, fitText(name, end - left - 20 - valueRoom - 40, 13), {
        fill: theme.text,
        size: 13,
      }),
    );
    if (hasValues)
      nodes.push(
        text(end - 48, base, measure.text(value), { fill: theme.text, size: 13, anchor: "end" }),
      );
    nodes.push(
      text(end, base, share(value / total), { fill: theme.muted, size: 13, anchor: "end" }),
    );
  }
}
