import { nice, ticks as roundTicks } from "d3-array";
import { tickFormat, type FormatNumber, type NumberStyle } from "../format/numberFormats.ts";

/** An axis of numbers with round ticks: multiples of 1, 2 or 5, or powers on a logarithmic axis. */
export interface ValueAxis {
  readonly low: number;
  readonly high: number;
  readonly ticks: readonly number[];
  readonly isLog: boolean;
  readonly format: FormatNumber;
  /** Returns the relative position of a value on the axis: 0 at the low end, 1 at the high end. */
  at(value: number): number;
}

/** The scale and the range of an axis, as the options of an item set them. */
export interface ValueScale {
  /** The factor by which the number of ticks differs from the usual number. */
  readonly density: number;
  /** The base of a logarithmic scale; undefined for a linear scale. */
  readonly logBase: number | undefined;
  /** The lowest and highest value of the axis; undefined if they follow from the data. */
  readonly range: readonly [low: number, high: number] | undefined;
  /** Whether the range follows the data so closely that 0 may be missing. */
  readonly isVariable: boolean;
}

/** The length of an axis, and the constraints on its range. */
export interface ValueAxisOptions {
  /** Length in pixels. The axis has about one tick per 56 pixels, and usually 2 to 6 ticks in total. */
  readonly length: number;
  /** Whether the axis must contain 0, as for bars. */
  readonly fromZero: boolean;
  readonly style: NumberStyle;
  readonly localeId: string;
  /** The density of ticks, the scale and the range from the options of the item. */
  readonly look?: ValueScale;
}

/** Minimum span of an axis. Floating-point numbers cannot represent the steps of a smaller span. */
export const shortestSpan = 1e-300;

const ordinary: ValueScale = {
  density: 1,
  logBase: undefined,
  range: undefined,
  isVariable: false,
};

/**
 * Creates an axis that contains the given values. It also contains 0 if all values are equal or there are none. A
 * logarithmic axis contains the positive values; without any, the axis is linear.
 */
export function valueAxis(values: readonly number[], options: ValueAxisOptions): ValueAxis {
  const { length, look = ordinary } = options;
  const most = Math.max(2, Math.min(6 * look.density, Math.round((length * look.density) / 56)));
  return (
    (look.logBase === undefined ? undefined : logAxis(values, options, look.logBase, most)) ??
    linearAxis(values, options, most)
  );
}

function linearAxis(
  values: readonly number[],
  { fromZero, style, localeId, look = ordinary }: ValueAxisOptions,
  count: number,
): ValueAxis {
  let [low, high] = rangeOf(values) ?? [0, 1];
  // The axis of a line includes 0 unless that would flatten the line.
  const isNear = (one: number, other: number) => !look.isVariable && one < 0.5 * other;
  if (fromZero || low === high || (low > 0 && isNear(low, high))) low = Math.min(0, low);
  if (fromZero || low === high || (high < 0 && isNear(-high, -low))) high = Math.max(0, high);
  if (high - low < shortestSpan) high = low + 1;
  [low, high] = look.range ?? nice(low, high, count);
  // Halved before subtracting, because the difference of two doubles can overflow.
  const span = high / 2 - low / 2 || 1;
  const round = Number.isFinite(high - low)
    ? roundTicks(low, high, count)
    : roundTicks(low / 2, high / 2, count).map((tick) => tick * 2);
  // Half a flight is not a tick: an axis of whole numbers has whole ticks.
  const isWhole = values.every(Number.isInteger) && !style.format?.includes("%");
  const whole = isWhole ? round.filter(Number.isInteger) : round;
  const ticks = whole.length > 1 ? whole : round;
  return {
    low,
    high,
    ticks,
    isLog: false,
    format: tickFormat(ticks, style, localeId),
    at: (value) => Math.max(0, Math.min(1, (value / 2 - low / 2) / span)),
  };
}

/** Returns an axis whose powers of a base are equally far apart; undefined if it would have no positive value. */
function logAxis(
  values: readonly number[],
  { style, localeId, look = ordinary }: ValueAxisOptions,
  base: number,
  most: number,
): ValueAxis | undefined {
  const logOf = (value: number) => Math.log(value) / Math.log(base);
  // Powers of 10 are read from text, so that 0.001 and its multiples are exact.
  const powerOf = (power: number, times = 1) =>
    base === 10 ? Number(`${times}e${power}`) : times * base ** power;
  const found = look.range ?? rangeOf(values.filter((value) => value > 0));
  if (!found || found[0] <= 0) return undefined;
  const from = Math.floor(logOf(found[0]) + 1e-9);
  const to = Math.max(from + 1, Math.ceil(logOf(found[1]) - 1e-9));
  const [low, high] = look.range ?? [powerOf(from), powerOf(to)];
  if (!(low > 0) || !Number.isFinite(high)) return undefined;
  const step = Math.max(1, Math.ceil((to - from) / most));
  // A decade or two also have ticks at 2 and 5.
  const parts = base === 10 && (to - from) * 3 < most * 2 ? [1, 2, 5] : [1];
  const ticks: number[] = [];
  for (let power = from; power <= to; power += step)
    for (const part of parts) {
      const tick = powerOf(power, part);
      if (tick >= low && tick <= high) ticks.push(tick);
    }
  const span = logOf(high) - logOf(low);
  return {
    low,
    high,
    ticks,
    isLog: true,
    format: (value) => tickFormat([value], style, localeId)(value),
    at: (value) =>
      value <= low ? 0 : value >= high ? 1 : (logOf(value) - logOf(low)) / (span || 1),
  };
}

/** Returns the lowest and highest value; undefined without values. */
function rangeOf(values: readonly number[]): [low: number, high: number] | undefined {
  let low = Infinity;
  let high = -Infinity;
  for (const value of values) {
    if (value < low) low = value;
    if (value > high) high = value;
  }
  return low > high ? undefined : [low, high];
}
