/** The width and the origin of bins of equal width. */
interface Bin {
  readonly width: number;
  readonly origin: number;
}

/** The limits of bins. Limit k is the start of bin k and the end of the bin before it. */
export interface BinLimits {
  /**
   * Limit k is (base + k * step) / scale, computed in doubles. `scale` is a power of ten, or 1 if the width and the
   * origin are used as they are.
   */
  readonly base: number;
  readonly step: number;
  readonly scale: number;
  limit(index: number): number;
  /** Returns the index of the greatest limit that is at most `value`. */
  indexOf(value: number): number;
  /** Returns the start of the bin that contains `value`; NaN if the start is not a finite number. */
  startOf(value: number): number;
}

/** Powers of ten are exact doubles up to this exponent. */
const mostDecimals = 22;
/** Multiples of 1 / `binaryUnit` can be multiplied and added without rounding. */
const binaryUnit = 2 ** 20;
/** Numbers with more than 15 digits are treated as quotients such as 1 / 3, not as decimals that a person entered. */
const mostWhole = 1e15;

/**
 * Returns the limits of bins. A width or origin such as 0.1 stands for the decimal that is printed for it. Each limit
 * is therefore the double nearest to the exact decimal value of origin + k * width, so every value of a bin lies within
 * the bin's printed limits. If the decimals have too many digits for a double, width and origin are used unchanged.
 */
export function limitsOf(bin: Bin): BinLimits {
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
  return { ...computed, limit, indexOf, startOf };
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

/** Returns the number of decimals in the shortest notation of a number. */
function decimalsOf(value: number): number {
  if (value === 0) return 0;
  const [digits = "", power = "0"] = Math.abs(value).toExponential().split("e");
  return Math.max(0, digits.replace(".", "").length - 1 - Number(power));
}

/** Returns the whole number that results from moving the decimal point `places` to the right. */
function shifted(value: number, places: number): number {
  const [digits = "", power = "0"] = value.toExponential().split("e");
  return Number(`${digits}e${Number(power) + places}`);
}
