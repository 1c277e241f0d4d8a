import { nice, ticks as roundTicks } from "d3-array";
import { tickFormat, type FormatNumber, type NumberStyle } from "../format/numberFormats.ts";

/** An axis of numbers: round ticks, 1, 2 or 5 apart. */
export interface ValueAxis {
  readonly low: number;
  readonly high: number;
  readonly ticks: readonly number[];
  readonly format: FormatNumber;
  /** Returns the share of the axis at a value: 0 at its low end, 1 at its high end. */
  at(value: number): number;
}

export interface ValueAxisOptions {
  /** Pixels: a tick for every 56 of them. */
  readonly length: number;
  /** Bars start at 0. */
  readonly fromZero: boolean;
  readonly style: NumberStyle;
  readonly localeId: string;
  /** The ends that a dashboard fixes. */
  readonly fixed?: readonly [low: number, high: number] | undefined;
}

/** On a shorter axis, doubles have no distinct steps. */
const shortestSpan = 1e-300;

/** Makes an axis that holds the values. Values that are all equal, or none, get an axis from 0. */
export function valueAxis(values: Iterable<number>, options: ValueAxisOptions): ValueAxis {
  const { length, fromZero, style, localeId, fixed } = options;
  let low = Infinity;
  let high = -Infinity;
  for (const value of values) {
    if (value < low) low = value;
    if (value > high) high = value;
  }
  if (low > high) [low, high] = [0, 1];
  // A line is drawn from 0 unless that would flatten it.
  if (fromZero || low === high || (low > 0 && low < 0.5 * high)) low = Math.min(0, low);
  if (fromZero || low === high || (high < 0 && high > 0.5 * low)) high = Math.max(0, high);
  if (high - low < shortestSpan) high = low + 1;
  const count = Math.max(2, Math.min(6, Math.round(length / 56)));
  const isFixed = fixed !== undefined && fixed[1] - fixed[0] >= shortestSpan;
  [low, high] = isFixed ? fixed : nice(low, high, count);
  // Computed with halves, because the difference of two doubles can overflow.
  const span = high / 2 - low / 2 || 1;
  const ticks = Number.isFinite(high - low)
    ? roundTicks(low, high, count)
    : roundTicks(low / 2, high / 2, count).map((tick) => tick * 2);
  return {
    low,
    high,
    ticks,
    format: tickFormat(ticks, style, localeId),
    at: (value) => Math.max(0, Math.min(1, (value / 2 - low / 2) / span)),
  };
}
