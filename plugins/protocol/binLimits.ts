import type { Bin } from "./queryColumn.ts";

/** The limits of bins. Limit k is the start of bin k and the end of bin k - 1. */
export interface BinLimits {
  /**
   * Limit k is (base + k * step) / scale, in doubles. `scale` is a power of ten, or 1 if the width and the origin are
   * used as they are.
   */
  readonly base: number;
  readonly step: number;
  readonly scale: number;
  /** Returns limit `index`, which may be negative. */
  limit(index: number): number;
  /** Returns the index of the greatest limit that is not above the number. */
  indexOf(value: number): number;
  /** Returns the start of the bin that contains a number. NaN if the number is not finite. */
  startOf(value: number): number;
}

/** Powers of ten with at most this exponent are exact doubles. */
const mostDecimals = 22;
/** Multiples of 1 / `binaryUnit` are multiplied and added without rounding. */
const binaryUnit = 2 ** 20;
/**
 * A number with more than 15 digits is treated as a quotient such as 1 / 3, and not as a decimal that someone typed.
 */
const mostWhole = 1e15;

const known = new WeakMap<Bin, BinLimits>();

/**
 * Returns the limits of bins. Width and origin are treated as the decimals in their shortest decimal form, such as 0.1.
 * Each limit is the double nearest to the exact decimal value of origin + k * width, so every number of a bin lies
 * within the bin's displayed limits. If the exact value has more digits than a double, the width and the origin are
 * used as they are.
 */
export function limitsOf(bin: Bin): BinLimits {
  const kept = known.get(bin);
  if (kept) return kept;
  const computed = computedWith(bin);
  const { base, step, scale } = computed;
  const limit = (index: number) => (base + index * step) / scale;
  const indexOf = (value: number) => {
    const index = Math.floor((value - bin.origin) / bin.width);
    if (limit(index) > value) return index - 1;
    return limit(index + 1) <= value ? index + 1 : index;
  };
  const startOf = (value: number) => {
    const start = limit(indexOf(value));
    return Number.isFinite(start) ? start : Number.NaN;
  };
  const limits = { ...computed, limit, indexOf, startOf };
  known.set(bin, limits);
  return limits;
}

function computedWith({ width, origin }: Bin): Pick<BinLimits, "base" | "step" | "scale"> {
  const asTheyAre = { base: origin + 0, step: width, scale: 1 };
  if (Number.isInteger(width * binaryUnit) && Number.isInteger(origin * binaryUnit))
    return asTheyAre;
  const decimals = Math.max(decimalsOf(width), decimalsOf(origin));
  if (decimals > mostDecimals) return asTheyAre;
  const [base, step] = [shifted(origin, decimals), shifted(width, decimals)];
  if (Math.abs(base) > mostWhole || step > mostWhole) return asTheyAre;
  return { base: base + 0, step, scale: 10 ** decimals };
}

/** Counts the decimals of a number in its shortest decimal form. */
function decimalsOf(value: number): number {
  if (value === 0) return 0;
  const [digits = "", power = "0"] = Math.abs(value).toExponential().split("e");
  return Math.max(0, digits.replace(".", "").length - 1 - Number(power));
}

/** Returns the integer that results from moving the decimal point of a number to the right. */
function shifted(value: number, places: number): number {
  const [digits = "", power = "0"] = value.toExponential().split("e");
  return Number(`${digits}e${Number(power) + places}`);
}
