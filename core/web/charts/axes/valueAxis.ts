import { nice, ticks as roundTicks } from "d3-array";
import { tickFormat, type FormatNumber, type NumberStyle } from "../format/numberFormats.ts";

/** An axis of numbers with round ticks at multiples of 1, 2 or 5. */
export interface ValueAxis {
  readonly low: number;
  readonly high: number;
  readonly ticks: readonly number[];
  readonly format: FormatNumber;
  /** Returns the relative position of a value on the axis: 0 at the low end, 1 at the high end. */
  at(value: number): number;
}

/** The length of an axis, and the constraints on its range. */
export interface ValueAxisOptions {
  /** Length in pixels. The axis has about one tick per 56 pixels, and 2 to 6 ticks in total. */
  readonly length: number;
  /** Whether the axis must contain 0, as for bars. */
  readonly fromZero: boolean;
  readonly style: NumberStyle;
  readonly localeId: string;
  /** The lowest and highest value, if the options of the item fix the range. */
  readonly fixed?: readonly [low: number, high: number] | undefined;
}

/** Minimum span of an axis. Floating-point numbers cannot represent the steps of a smaller span. */
const shortestSpan = 1e-300;

/** Creates an axis that contains the given values. It also contains 0 if all values are equal or there are none. */
export function valueAxis(values: Iterable<number>, options: ValueAxisOptions): ValueAxis {
  const { length, fromZero, style, localeId, fixed } = options;
  let low = Infinity;
  let high = -Infinity;
  for (const value of values) {
    if (value < low) low = value;
    if (value > high) high = value;
  }
  if (low > high) [low, high] = [0, 1];
  // The axis of a line includes 0 unless that would flatten the line.
  if (fromZero || low === high || (low > 0 && low < 0.5 * high)) low = Math.min(0, low);
  if (fromZero || low === high || (high < 0 && high > 0.5 * low)) high = Math.max(0, high);
  if (high - low < shortestSpan) high = low + 1;
  const count = Math.max(2, Math.min(6, Math.round(length / 56)));
  const isFixed = fixed !== undefined && fixed[1] - fixed[0] >= shortestSpan;
  [low, high] = isFixed ? fixed : nice(low, high, count);
  // Halved before subtracting, because the difference of two doubles can overflow.
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
