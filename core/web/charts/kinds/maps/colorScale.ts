import { ascending, quantileSorted } from "d3-array";
import { rgb } from "d3-color";
import * as schemes from "d3-scale-chromatic";
import { rampColor } from "../../color/rampColor.ts";
import { readColor } from "../../color/readColor.ts";
import { optionNumber } from "../../frame/optionNumber.ts";
import { drawLegend } from "../../frame/drawLegend.ts";
import type { Frame } from "../../frame/frame.ts";
import { rect, text } from "../../frame/nodes.ts";
import { listOf, objectOf } from "../../item/readItem.ts";
import { measureText } from "../../text/measureText.ts";
import type { ColorScheme } from "../../item/colorSchemes.ts";

/** Returns the colour of a number. */
export type ColorScale = (value: number) => string;

/** A range of numbers that have one colour. It ends where the next one starts. */
interface ColorClass {
  readonly from: number;
  readonly color: string;
}

export interface ColorScaleOptions {
  /** How numbers are divided into classes if the options of the item do not say. */
  readonly classification: "quantile" | "interval";
  /** Writes a number of the legend. */
  readonly text: (value: number) => string;
  /** Whether the legend is a ramp, whose height does not depend on the numbers, instead of a list of classes. */
  readonly isRamp?: boolean;
}

/**
 * Returns the colours of numbers as the options `classification`, `numberClasses`, `colorsClass` and `manualValues`
 * say, and draws their legend. O(values · log values).
 */
export function colorScale(
  frame: Frame,
  values: readonly number[],
  { classification: otherwise, text: write, isRamp = false }: ColorScaleOptions,
): ColorScale {
  const { options } = frame.request.item;
  const { theme } = frame.request;
  const between = schemeOf(frame);
  const sorted = values.toSorted(ascending);
  const low = sorted[0] ?? 0;
  const high = sorted.at(-1) ?? 0;
  const { classification } = options;
  const manual = classification === "manual" ? manualClasses(frame) : [];
  if (classification === "continuous") {
    // Halved before subtracting, because the difference of two doubles can overflow.
    const shareOf = (value: number) =>
      high > low ? (value / 2 - low / 2) / (high / 2 - low / 2) : 0.6;
    if (sorted.length > 0) drawRamp(frame, [write(low), write(high)], between);
    return (value) => between(shareOf(value));
  }
  const count = Math.round(
    optionNumber(options.numberClasses, { least: 1, most: 12, otherwise: 5 }),
  );
  const isInterval = (classification ?? otherwise) === "interval";
  const bounds = Array.from({ length: count }, (_, index) =>
    isInterval
      ? low + (high / count - low / count) * index
      : (quantileSorted(sorted, index / count) ?? low),
  );
  const starts = [...new Set(bounds)];
  const classes =
    manual.length > 0
      ? manual
      : starts.map((from, index) => ({
          from,
          color: between(starts.length === 1 ? 0.6 : index / (starts.length - 1)),
        }));
  const scale: ColorScale = (value) =>
    classes.findLast(({ from }) => from <= value)?.color ?? theme.axis;
  if (sorted.length === 0) return scale;
  if (isRamp)
    drawRamp(frame, [write(low), write(high)], (share) => scale(low * (1 - share) + high * share));
  else
    drawLegend(
      frame,
      classes.map(({ from, color }, index) => {
        const start = write(from);
        const next = classes[index + 1];
        if (from === -Infinity)
          return { name: next ? `< ${write(next.from)}` : write(high), color };
        if (next) return { name: `${start} – ${write(next.from)}`, color };
        const isOpen = manual.length > 0;
        const name = isOpen ? `≥ ${start}` : from < high ? `${start} – ${write(high)}` : start;
        return { name, color };
      }),
    );
  return scale;
}

/** Returns the classes that the options list, in ascending order. */
function manualClasses({ request: { item, theme } }: Frame): ColorClass[] {
  return listOf(objectOf<"ranges">(item.options.manualValues).ranges)
    .slice(0, 20)
    .map((each) => objectOf<"color" | "isNegativeInfinityRange" | "val">(each))
    .flatMap(({ color: stored, isNegativeInfinityRange, val }) => {
      const color = readColor(stored, theme.background);
      const from = isNegativeInfinityRange === true ? -Infinity : val;
      const isRange = color !== undefined && typeof from === "number" && !Number.isNaN(from);
      return isRange ? [{ from, color }] : [];
    })
    .toSorted((one, other) => ascending(one.from, other.from));
}

const interpolators: Readonly<Record<ColorScheme, (share: number) => string>> = {
  Blues: schemes.interpolateBlues,
  BrBG: schemes.interpolateBrBG,
  BuGn: schemes.interpolateBuGn,
  BuPu: schemes.interpolateBuPu,
  GnBu: schemes.interpolateGnBu,
  Greens: schemes.interpolateGreens,
  Greys: schemes.interpolateGreys,
  Inferno: schemes.interpolateInferno,
  OrRd: schemes.interpolateOrRd,
  Oranges: schemes.interpolateOranges,
  PRGn: schemes.interpolatePRGn,
  PiYG: schemes.interpolatePiYG,
  Plasma: schemes.interpolatePlasma,
  PuBu: schemes.interpolatePuBu,
  PuOr: schemes.interpolatePuOr,
  PuRd: schemes.interpolatePuRd,
  Purples: schemes.interpolatePurples,
  RdBu: schemes.interpolateRdBu,
  RdGy: schemes.interpolateRdGy,
  RdPu: schemes.interpolateRdPu,
  RdYlBu: schemes.interpolateRdYlBu,
  RdYlGn: schemes.interpolateRdYlGn,
  Reds: schemes.interpolateReds,
  Spectral: schemes.interpolateSpectral,
  Viris: schemes.interpolateViridis,
  YlGn: schemes.interpolateYlGn,
  YlGnBu: schemes.interpolateYlGnBu,
  YlOrBr: schemes.interpolateYlOrBr,
  YlOrRd: schemes.interpolateYlOrRd,
};

/** The low end of a ramp is hard to tell from the background, so colours start above it. */
const rampStart = 0.16;

function schemeOf({ request: { item, theme } }: Frame): (share: number) => string {
  const { colorsClass } = item.options;
  const isNamed = (name: unknown): name is ColorScheme =>
    typeof name === "string" && Object.hasOwn(interpolators, name);
  const ramp = isNamed(colorsClass) ? interpolators[colorsClass] : rampColor(theme);
  return (share) => {
    const bounded = Math.max(0, Math.min(1, share || 0));
    return rgb(ramp(rampStart + (1 - rampStart) * bounded)).formatHex();
  };
}

/** Draws a colour scale between its lowest and its highest number, and reduces the frame's area. */
export function drawRamp(
  frame: Frame,
  [low, high]: readonly [string, string],
  between: (share: number) => string,
): void {
  const { area, nodes, request } = frame;
  const { muted } = request.theme;
  const count = 24;
  // The step is an integer number of pixels, because fractional edges would appear as stripes.
  const step = Math.max(1, Math.round(Math.min(168, area.width / 2) / count));
  const start = Math.round(area.x + measureText(low, 12) + 8);
  nodes.push(text(area.x, area.y + 10, low, { fill: muted }));
  for (let index = 0; index < count; index++)
    nodes.push(
      rect(start + index * step, Math.round(area.y), step, 12, {
        fill: between(index / (count - 1)),
      }),
    );
  nodes.push(text(start + step * count + 8, area.y + 10, high, { fill: muted }));
  frame.area = { ...area, y: area.y + 24, height: area.height - 24 };
}
