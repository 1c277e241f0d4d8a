import { measureText } from "../text/measureText.ts";
import type { CategoryLabel } from "./drawCategories.ts";
import { labelStep } from "./placeLabels.ts";
import type { TimeScale } from "./timeScale.ts";
import { periodTicks, timeTicks, type TimeTick, type TimeTickOptions } from "./timeTicks.ts";

/** Maximum number of periods that may all be labelled. */
const mostPeriods = 60;
/** Gap in pixels between labels if every period has one. */
const leastGap = 12;
/** Length in pixels of an axis for each of its ticks, if not every period is labelled. */
const tickLength = 80;

/**
 * Returns the labels of a time axis: one for every period if they fit, and otherwise at round calendar steps. `length`
 * is the length of the axis, and `toPixels` converts a position on the scale. `height` is the height of a label on a
 * vertical axis, where labels are above each other.
 */
export function labelTimes(
  scale: TimeScale,
  options: TimeTickOptions,
  {
    length,
    toPixels,
    height,
  }: {
    readonly length: number;
    readonly toPixels: (position: number) => number;
    readonly height?: number;
  },
): CategoryLabel[] {
  const placed = (ticks: readonly TimeTick[]): CategoryLabel[] =>
    ticks.map(({ wallMs, period, within }) => ({
      at: toPixels(scale.at(wallMs)),
      label: period,
      within,
    }));
  const all = placed(periodTicks(scale, mostPeriods, options) ?? []);
  // Labels above each other need no gap, because their height includes one.
  const sized = all.map(({ at, label }) => ({ at, width: height ?? measureText(label, 12) }));
  if (all.length > 0 && labelStep(sized, height === undefined ? leastGap : 0) === 1) return all;
  const count = height === undefined ? length / tickLength : length / (height * 2);
  return placed(timeTicks(scale.first.wallMs, scale.last.wallMs, count, options));
}
