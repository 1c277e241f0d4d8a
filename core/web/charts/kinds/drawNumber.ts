import { numberFormat } from "../format/numberFormats.ts";
import { fillIn } from "../words/templates.ts";
import { columnsIn, markOf, type Area, type Frame, type PlacedColumn } from "../frame/frame.ts";
import { areaPath, linePath } from "../frame/linePath.ts";
import { mirrorFrom } from "../frame/mirror.ts";
import { circle, path, rect, text } from "../frame/nodes.ts";
import { colorIn, colorRanges } from "../color/colorRanges.ts";
import { readableOn } from "../color/contrast.ts";
import { readColor } from "../color/readColor.ts";
import { numberIn } from "../item/numberIn.ts";
import { objectOf } from "../item/readItem.ts";
import type { Anchor } from "../scene.ts";
import { fitText } from "../text/fitText.ts";
import { measureText } from "../text/measureText.ts";
import { directionOf } from "../words/languages.ts";

/** A row of the answer, for one period. */
interface Period {
  readonly row: Frame["rows"][number];
  /** Index of the row in the answer. */
  readonly index: number;
}

/**
 * Draws one number as large as possible. If the item has periods, the number is that of the last period, and a line
 * shows all periods. The number is compared with the second measure or the target, or otherwise with the previous
 * period.
 */
export function drawNumber(frame: Frame): void {
  const { nodes, request, area } = frame;
  const [evolution] = columnsIn(frame, "evolution");
  const [measure, second] = columnsIn(frame, "measure", "target");
  if (!measure) return;
  const periods = periodsOf(frame, evolution);
  const last = periods.at(-1);
  const value = last ? measure.number(last.row[measure.cell]) : null;
  const { options, type } = request.item;
  const isConditional = type === "conditional-number";
  const manual = objectOf<"target" | "conditional" | "asBackgroundColor">(options.manualValues);
  const storedTarget = isConditional && typeof manual.target === "number" ? manual.target : null;
  const target = second
    ? last && { value: second.number(last.row[second.cell]), name: second.name }
    : storedTarget === null
      ? undefined
      : { value: storedTarget, name: `${frame.words.target} (${measure.text(storedTarget)})` };
  const shown = numberText();
  const before = target
    ? target
    : evolution && periods.length > 1
      ? {
          value: measure.number(periods.at(-2)?.row[measure.cell]),
          name: evolution.text(periods.at(-2)?.row[evolution.cell]),
        }
      : undefined;
  const ground = isConditional
    ? colorIn(colorRanges(manual.conditional, request.theme.background), value)
    : undefined;
  const isGround = ground !== undefined && manual.asBackgroundColor === true;
  if (isGround)
    nodes.push(
      rect(area.x - 8, area.y - 4, area.width + 16, area.height + 8, { fill: ground, radius: 6 }),
    );
  const own = isGround
    ? readableOn(ground, "#ffffff", "#14161a")
    : (ground ?? readColor(options.color, request.theme.background));
  if (evolution && last) frame.subtitles.push(evolution.text(last.row[evolution.cell]));

  const hasPeriods =
    evolution !== undefined && periods.length > 2 && options.evolutionGraphDisplay !== "none";
  const [side] = [options.horizontalAlignment].flat();
  const horizontal = isConditional ? objectOf<"horizontal">(options.alignment).horizontal : side;
  const anchor = anchors.get(horizontal) ?? "start";
  const at = area.x + (anchor === "start" ? 0 : anchor === "end" ? area.width : area.width / 2);
  const isAligned = anchor !== "start";
  const hasLineBelow = hasPeriods && (area.height > 110 || isAligned);
  const wanted = numberIn(options.numberFontSize, 10, 200);
  const size =
    wanted ??
    [64, 56, 48, 40, 34, 28, 24, 20].find(
      (each) =>
        measureText(shown, each, 600) <= area.width &&
        each * 1.2 <= area.height * (hasLineBelow ? 0.5 : 0.7),
    ) ??
    16;
  let y = area.y + size * 0.9;
  const first = nodes.length;
  nodes.push({
    ...text(at, y, fitText(shown, area.width, size, 600), {
      fill: own ?? request.theme.text,
      size,
      weight: 600,
      anchor,
    }),
    mark: markOf(last?.index, "", measure.name, measure.text(value)),
  });
  let end = area.x + measureText(shown, size, 600);
  if (before && before.value !== null && value !== null) {
    y += 24;
    const { sentence, fill } = compared(frame, measure, value, {
      name: before.name,
      value: before.value,
    });
    nodes.push(
      text(at, y, fitText(sentence, area.width, 14), {
        fill: isGround && own !== undefined ? own : fill,
        size: 14,
        anchor,
      }),
    );
    end = Math.max(end, area.x + measureText(sentence, 14));
  }
  const isMirrored = directionOf(request.localeId) === "rtl";
  if (isMirrored) mirrorFrom(nodes, first, request.width);
  if (!hasPeriods) return;

  // The line over all periods is drawn below the number, or next to the number in a flat picture.
  const width = hasLineBelow ? area.width : area.x + area.width - end - 24;
  const left = isMirrored ? area.x : area.x + area.width - width;
  const top = hasLineBelow ? y + 16 : area.y + 4;
  paintPeriods(
    frame,
    { evolution, measure, periods },
    {
      x: left,
      y: top,
      width,
      height: area.y + area.height - top - 4,
    },
  );

  /** Returns the number, or how it differs from the target, as the option says. */
  function numberText(): string {
    const goal = isConditional ? (target?.value ?? null) : null;
    if (!measure || value === null || goal === null) return measure?.text(value) ?? "";
    if (options.mode === "percentage" && goal !== 0)
      return numberFormat({ format: ",.0%" }, request.localeId)(value / goal);
    return measure.text(options.mode === "difference" ? value - goal : value);
  }
}

/** The ends of text at each side. */
const anchors: ReadonlyMap<unknown, Anchor> = new Map([
  ["left", "start"],
  ["center", "middle"],
  ["right", "end"],
]);

/** Returns the rows of an answer in chronological order. */
function periodsOf({ rows }: Frame, evolution: PlacedColumn | undefined): readonly Period[] {
  if (!evolution) return rows.map((row, index) => ({ row, index }));
  return rows
    .map((row, index) => ({ row, index, atMs: evolution.wallMs(row[evolution.cell]) ?? 0 }))
    .toSorted((one, other) => one.atMs - other.atMs);
}

/** Describes how a number differs from another number. The colour says whether it is better, worse or equal. */
function compared(
  { request, words }: Frame,
  measure: PlacedColumn,
  now: number,
  before: { readonly value: number; readonly name: string },
): { readonly sentence: string; readonly fill: string } {
  const { theme, item, localeId } = request;
  const change = now - before.value;
  if (change === 0)
    return { sentence: fillIn(words.same, { name: before.name }), fill: theme.muted };
  const sentence = change > 0 ? words.more : words.less;
  const arrow = change > 0 ? "↑" : "↓";
  const share = Math.abs(change / before.value);
  const amount =
    before.value === 0
      ? measure.text(Math.abs(change))
      : numberFormat({ format: share < 0.1 ? ".1%" : ",.0%" }, localeId)(share);
  const isGood = item.options.evolutionColor === "inverse" ? change < 0 : change > 0;
  return {
    sentence: `${arrow} ${fillIn(sentence, { amount, name: before.name })}`,
    fill: isGood ? theme.positive : theme.negative,
  };
}

/** Draws a line over all periods, with a dot at the last period, if there is room. */
function paintPeriods(
  { nodes, request }: Frame,
  of: {
    readonly evolution: PlacedColumn;
    readonly measure: PlacedColumn;
    readonly periods: readonly Period[];
  },
  plot: Area,
): void {
  if (plot.height < 20 || plot.width < 80) return;
  const { evolution, measure, periods } = of;
  const values = periods.map(({ row }) => measure.number(row[measure.cell]));
  const known = values.filter((each) => each !== null);
  const [low, high] = [Math.min(...known), Math.max(...known)];
  const x = (index: number) => plot.x + (index / (values.length - 1)) * (plot.width - 6);
  const at = (each: number | null) =>
    plot.y + (1 - ((each ?? low) - low) / (high - low || 1)) * plot.height;
  const { options } = request.item;
  const color = readColor(options.color, request.theme.background) ?? request.theme.series[0] ?? "";
  const shade = numberIn(options.evolutionGraphOpacity, 0, 100);
  const places = values.map((each, index) =>
    each === null ? undefined : { x: x(index), y: at(each), base: plot.y + plot.height },
  );
  if (options.evolutionGraphType !== "line")
    nodes.push(
      path(areaPath(places, "linear"), {
        fill: color,
        opacity: shade === undefined ? 0.12 : shade / 100,
      }),
    );
  nodes.push(path(linePath(places, "linear"), { stroke: color, strokeWidth: 2 }));
  for (const [index, { row, index: place }] of periods.entries()) {
    const value = values[index] ?? null;
    if (value === null) continue;
    const name = evolution.text(row[evolution.cell]);
    nodes.push(
      circle(x(index), at(value), index === periods.length - 1 ? 4 : 0, {
        fill: color,
        mark: markOf(place, name, "", measure.text(value)),
      }),
    );
  }
}
