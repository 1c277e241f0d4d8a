import { ascending, quantileSorted } from "d3-array";
import { readColor } from "../color/readColor.ts";
import type { Area, Frame } from "../frame/frame.ts";
import { line, rect, text } from "../frame/nodes.ts";
import type { FormatNumber } from "../format/numberFormats.ts";
import { listOf, objectOf } from "../item/readItem.ts";
import { fitText } from "../text/fitText.ts";
import { measureText } from "../text/measureText.ts";
import { fillIn } from "../words/templates.ts";
import { dashes } from "./dashes.ts";
import type { ValueAxis } from "./valueAxis.ts";

/** A line across the plot at a value. */
export interface Guideline {
  readonly value: number;
  readonly color: string;
  /** The name of a computed value, such as "average"; empty for a value from the options. */
  readonly name: string;
}

/** Maximum number of guidelines. Their labels would cover each other. */
const mostLines = 20;

/**
 * Reads the guidelines of an item: values from the options, or the average, the median, the smallest or the largest of
 * the values that the picture shows.
 */
export function readGuidelines(
  { request, words }: Frame,
  values: readonly number[],
): readonly Guideline[] {
  const { theme, item } = request;
  const sorted = values.toSorted(ascending);
  // Divided before summing, because the sum of large values can overflow.
  const average = values.reduce((sum, value) => sum + value / values.length, 0);
  const computed: ReadonlyMap<unknown, readonly [name: string, value: number | undefined]> =
    new Map([
      ["average", [words.average, values.length > 0 ? average : undefined]],
      ["median", [words.median, quantileSorted(sorted, 0.5)]],
      ["min", [words.minimum, sorted[0]]],
      ["max", [words.maximum, sorted.at(-1)]],
    ]);
  return listOf(objectOf<"lines">(item.options.guidelines).lines)
    .slice(0, mostLines)
    .flatMap((each) => {
      const { type = "value", value: own, color } = objectOf<"type" | "value" | "color">(each);
      const [name, value] = type === "value" ? ["", own] : (computed.get(type) ?? ["", undefined]);
      if (typeof value !== "number" || !Number.isFinite(value)) return [];
      return [{ value, name, color: readColor(color, theme.background) ?? theme.text }];
    });
}

/** Draws guidelines across a plot, each with its value. A note names the lines beyond the ends of the axis. */
export function drawGuidelines(
  { nodes, notes, words, request: { theme, item } }: Frame,
  guidelines: readonly Guideline[],
  {
    axis,
    plot,
    isUpright,
    write,
  }: {
    readonly axis: ValueAxis;
    readonly plot: Area;
    /** Whether values grow upwards, as in columns and lines. */
    readonly isUpright: boolean;
    readonly write: FormatNumber;
  },
): void {
  const { type, width } = objectOf<"type" | "width">(
    objectOf<"style">(item.options.guidelines).style,
  );
  const dash = dashes.get(type);
  const wide =
    typeof width === "string" || typeof width === "number" ? Number.parseFloat(String(width)) : NaN;
  const strokeWidth = wide > 0 && wide <= 20 ? wide : 1;
  for (const { value, color, name } of guidelines) {
    const shown = `${name} ${write(value)}`.trim();
    if (value < axis.low || value > axis.high) {
      notes.push(fillIn(words.notShown, { names: shown }));
      continue;
    }
    const share = axis.at(value);
    const style = { stroke: color, strokeWidth, ...(dash && { dash }) };
    const [x, y] = [plot.x + share * plot.width, plot.y + (1 - share) * plot.height];
    const label = fitText(shown, plot.width, 12, 600);
    const long = measureText(label, 12, 600);
    // The label stands inside the plot, above a lying line and beside a standing one.
    const left = isUpright
      ? plot.x + plot.width - long - 2
      : x + long + 8 > plot.x + plot.width
        ? x - long - 5
        : x + 5;
    const base = isUpright ? (y - 18 < plot.y - 6 ? y + 14 : y - 5) : plot.y + 10;
    nodes.push(
      isUpright
        ? line([plot.x, y], [plot.x + plot.width, y], style)
        : line([x, plot.y], [x, plot.y + plot.height], style),
      rect(left - 2, base - 11, long + 4, 15, { fill: theme.background, opacity: 0.8 }),
      text(left, base, label, { fill: theme.text, weight: 600 }),
    );
  }
}
