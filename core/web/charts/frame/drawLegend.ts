import { objectOf } from "../item/readItem.ts";
import type { LegendBox, LegendEntry } from "../scene.ts";
import { fitNames } from "../text/fitNames.ts";
import { measureText } from "../text/measureText.ts";
import { directionOf } from "../words/languages.ts";
import { fillIn } from "../words/templates.ts";
import type { Area, Frame } from "./frame.ts";
import { mirrorFrom, mirrorLegend } from "./mirror.ts";
import { countText } from "./sayCut.ts";
import { rect, text } from "./nodes.ts";

/** Opacity of a hidden series in the legend. */
const hiddenOpacity = 0.25;

const lineHeight = 20;
const lineCount = 2;
/** Width in pixels of a swatch with the gap before the name, and of the gap after the name. */
const swatch = 18;
const gap = 16;
/** Maximum width of a name in pixels. */
const widestName = 180;

/** Where a legend stands: above, below or beside the plot, and the share of the free length before it. */
const places: ReadonlyMap<
  unknown,
  readonly [side: "top" | "bottom" | "left" | "right", at: number]
> = new Map([
  ["topLeft", ["top", 0]],
  ["top", ["top", 0.5]],
  ["topRight", ["top", 1]],
  ["bottomLeft", ["bottom", 0]],
  ["bottom", ["bottom", 0.5]],
  ["bottomRight", ["bottom", 1]],
  ["left", ["left", 0]],
  ["right", ["right", 0]],
]);

/** A name of the legend, with its place relative to the legend. */
interface PlacedEntry {
  readonly entry: LegendEntry;
  readonly shown: string;
  readonly x: number;
  readonly line: number;
  readonly width: number;
}

/**
 * Draws the names of the series around the plot, where the options want them, and reduces the plot's area. If some
 * names do not fit, the last line ends with their number. Draws nothing if the options hide the legend.
 */
export function drawLegend(frame: Frame, entries: readonly LegendEntry[]): void {
  const { area, request, nodes } = frame;
  const { display, legend } = request.item.options;
  if (objectOf<"legend">(display).legend === false) return;
  const [side, at] = places.get(objectOf<"position">(legend).position) ?? ["top", 0];
  const isBeside = side === "left" || side === "right";
  const placed = isBeside ? listEntries(area, entries) : wrapEntries(frame, entries);
  const rest = entries.length - placed.length;
  const lines = (placed.at(-1)?.line ?? 0) + 1;
  const widthOf = (line: number) =>
    placed.reduce(
      (most, each) => (each.line === line ? Math.max(most, each.x + each.width) : most),
      0,
    );
  const widest = Math.max(0, ...placed.map((each) => each.x + each.width));
  const top = side === "bottom" ? area.y + area.height - lines * lineHeight + 8 : area.y;
  const leftOf = (line: number) => {
    if (side === "right") return area.x + area.width - widest;
    return isBeside ? area.x : area.x + at * Math.max(0, area.width - widthOf(line));
  };
  const first = nodes.length;
  const listed = placed.map(({ entry, shown, x, line, width }) =>
    drawEntry(frame, entry, { shown, x: leftOf(line) + x, y: top + line * lineHeight, width }),
  );
  const last = placed.at(-1);
  if (rest > 0 && last) {
    const x = isBeside ? leftOf(0) : leftOf(last.line) + last.x + last.width + gap;
    const y = top + (isBeside ? lines : last.line) * lineHeight + 10;
    nodes.push(text(x, y, moreText(frame, rest), { fill: request.theme.muted }));
  }
  // A legend beside the plot stands where the options want it.
  const isMirrored = directionOf(request.localeId) === "rtl" && !isBeside;
  if (isMirrored) mirrorFrom(nodes, first, request.width);
  const named = isMirrored ? mirrorLegend(listed, request.width) : listed;
  frame.legend = [...named, ...entries.slice(listed.length)];
  frame.area = without(area, side, isBeside ? widest + gap : lines * lineHeight + 4);
}

/** Places names in lines of the width of the area, as many as fit into two lines. */
function wrapEntries(frame: Frame, entries: readonly LegendEntry[]): PlacedEntry[] {
  const { area } = frame;
  const placed: PlacedEntry[] = [];
  const names = fitNames(
    entries.map(({ name }) => name),
    Math.min(widestName, area.width - swatch),
    12,
  );
  let [x, line] = [0, 0];
  for (const [index, entry] of entries.entries()) {
    const shown = names[index] ?? "";
    const width = swatch + measureText(shown, 12);
    const isLastLine = line === lineCount - 1;
    const rest = entries.length - index;
    const more = isLastLine && rest > 1 ? measureText(moreText(frame, rest), 12) + 8 : 0;
    const room = area.width - more;
    if (x > 0 && x + width > room) {
      if (isLastLine) break;
      line++;
      x = 0;
    }
    placed.push({ entry, shown, x, line, width });
    x += width + gap;
  }
  return placed;
}

function moreText(frame: Frame, count: number): string {
  return fillIn(frame.words.moreNames, { count: countText(frame, count) });
}

/** Places names below each other, as many as fit into the height of the area. */
function listEntries(area: Area, entries: readonly LegendEntry[]): PlacedEntry[] {
  const fitting = Math.max(1, Math.floor((area.height - 8) / lineHeight));
  const count = entries.length > fitting ? Math.max(1, fitting - 1) : entries.length;
  const widest = Math.min(widestName, area.width * 0.3);
  const listed = entries.slice(0, count);
  const names = fitNames(
    listed.map(({ name }) => name),
    widest,
    12,
  );
  return listed.map((entry, line) => {
    const shown = names[line] ?? "";
    return { entry, shown, x: 0, line, width: swatch + measureText(shown, 12) };
  });
}

function drawEntry(
  frame: Frame,
  { name, color, id }: LegendEntry,
  {
    shown,
    x,
    y,
    width,
  }: { readonly shown: string; readonly x: number; readonly y: number; readonly width: number },
): LegendEntry {
  const { nodes, request } = frame;
  const isHidden = isHiddenSeries(frame, id);
  const { muted, text: ink } = request.theme;
  nodes.push(
    rect(x, y, 12, 12, { fill: color, radius: 2, ...(isHidden && { opacity: hiddenOpacity }) }),
    text(x + swatch, y + 10, shown, { fill: isHidden ? muted : ink }),
  );
  return {
    name,
    color,
    ...(id !== undefined && { id, box: boxOf(x - 2, y - 4, width + 4, lineHeight) }),
  };
}

/** Returns an area without a strip of the given size at one of its sides. */
function without(area: Area, side: "top" | "bottom" | "left" | "right", size: number): Area {
  switch (side) {
    case "top":
      return { ...area, y: area.y + size, height: area.height - size };
    case "bottom":
      return { ...area, height: area.height - size };
    case "left":
      return { ...area, x: area.x + size, width: area.width - size };
    case "right":
      return { ...area, width: area.width - size };
    default: {
      const never: never = side;
      return never;
    }
  }
}

/** Returns whether the reader has switched a series off. */
export function isHiddenSeries({ request }: Frame, id: string | undefined): boolean {
  return id !== undefined && request.hiddenSeries?.has(id) === true;
}

/** Returns the box around a name, in whole pixels. */
export function boxOf(x: number, y: number, width: number, height: number): LegendBox {
  const [left, top] = [Math.round(x), Math.round(y)];
  return { x: left, y: top, width: Math.ceil(width), height: Math.ceil(height) };
}
