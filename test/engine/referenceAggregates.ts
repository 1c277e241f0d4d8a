import type { Output, Scalar } from "../../engine/index.ts";
import { compare } from "./compare.ts";

/** An expected cell. If it is a number, also the least and the greatest number that count as correct. */
export interface Bounds {
  readonly value: Scalar;
  readonly low: number;
  readonly high: number;
}

/**
 * Folds the values of a group in the simplest way: sums are computed as exact decimals, and percentiles are read from a
 * sorted list.
 */
export function aggregate(
  output: Extract<Output, { kind: "aggregate" }>,
  cells: readonly Scalar[],
  seconds: readonly Scalar[] | undefined,
): Bounds {
  const values = cells.filter((value) => value !== null);
  const distinct = () => new Set(values).size;
  if (output.function === "count") return around(values.length, 0);
  if (output.function === "distinctcount") return around(distinct(), 0);
  if (output.function === "approximatedistinctcount")
    return around(distinct(), Math.max(1, distinct() * 0.05));
  if (values.length === 0) return { value: null, low: 0, high: 0 };
  if (output.function === "corr") return correlation(cells, seconds ?? []);
  if (output.function === "min" || output.function === "max") {
    const sign = output.function === "min" ? 1 : -1;
    const most = values.reduce((best, value) => (compare(value, best) * sign < 0 ? value : best));
    return typeof most === "number" ? around(most, 0) : { value: most, low: 0, high: 0 };
  }
  const numbers = values.map(Number);
  const fraction = output.function === "median" ? 0.5 : (output.fraction ?? 0);
  switch (output.function) {
    case "sum":
    case "cumulativesum":
      return around(exactSum(numbers), slackOf(numbers));
    case "average":
      return around(exactSum(numbers) / numbers.length, slackOf(numbers) / numbers.length, 2);
    case "median":
    case "percentile":
      return around(percentile(numbers, fraction), 0, 4);
    case "approximatepercentile":
      return nearPercentile(numbers, fraction);
    case "stddev":
      return standardDeviation(numbers);
    case "weightedaverage":
      return weightedAverage(cells, seconds ?? []);
    case "rows":
      throw new TypeError("rows is counted without values");
    default:
      throw new TypeError(`no reference for ${output.function satisfies never}`);
  }
}

/**
 * Returns bounds around a value, at a distance of `slack` plus a few units in the last place; null if the value is not
 * finite.
 */
function around(value: number, slack: number, ulps = 0): Bounds {
  if (!Number.isFinite(value)) return { value: null, low: 0, high: 0 };
  const all = slack + ulps * 2 ** -52 * Math.abs(value);
  return { value: value + 0, low: value - all, high: value + all };
}

/** Returns the maximum rounding error of a sum of doubles in any order. Sums of whole numbers are exact. */
function slackOf(numbers: readonly number[]): number {
  const size = numbers.reduce((sum, number) => sum + Math.abs(number), 0);
  const isWhole = size < 2 ** 53 && numbers.every(Number.isInteger);
  return isWhole ? 0 : size * numbers.length * 2 ** -52;
}

/** Returns the sum of the numbers' shortest decimals, rounded once. */
function exactSum(numbers: readonly number[]): number {
  const parts = numbers.map((number) => {
    const [, digits = "0", fraction = "", exponent = "0"] =
      /^(-?\d+)(?:\.(\d+))?(?:e([+-]\d+))?$/.exec(String(number)) ?? [];
    return { whole: BigInt(digits + fraction), exponent: Number(exponent) - fraction.length };
  });
  const least = parts.reduce((low, { exponent }) => Math.min(low, exponent), 0);
  const sum = parts.reduce(
    (total, { whole, exponent }) => total + whole * 10n ** BigInt(exponent - least),
    0n,
  );
  return Number(`${sum}e${least}`);
}

function percentile(numbers: readonly number[], fraction: number): number {
  const sorted = [...numbers].sort((left, right) => left - right);
  const place = (sorted.length - 1) * fraction;
  const [low, high] = [sorted[Math.floor(place)], sorted[Math.ceil(place)]];
  const share = place - Math.floor(place);
  return low === high ? low : low * (1 - share) + high * share;
}

/**
 * Returns bounds for a percentile: the values whose ranks are two steps away, on the t-digest's scale k1 with
 * compression 200.
 */
function nearPercentile(numbers: readonly number[], fraction: number): Bounds {
  const slack = (2 * 2 * Math.PI * Math.sqrt(fraction * (1 - fraction))) / 200 + 2 / numbers.length;
  const clamp = (share: number) => Math.min(1, Math.max(0, share));
  return {
    value: percentile(numbers, fraction),
    low: percentile(numbers, clamp(fraction - slack)),
    high: percentile(numbers, clamp(fraction + slack)),
  };
}

function standardDeviation(numbers: readonly number[]): Bounds {
  if (numbers.length < 2) return { value: null, low: 0, high: 0 };
  const mean = numbers.reduce((sum, number) => sum + number, 0) / numbers.length;
  const squares = numbers.reduce((sum, number) => sum + (number - mean) ** 2, 0);
  const largest = numbers.reduce((most, number) => Math.max(most, Math.abs(number)), 0);
  return around(Math.sqrt(squares / (numbers.length - 1)), largest * 1e-8);
}

function weightedAverage(cells: readonly Scalar[], weights: readonly Scalar[]): Bounds {
  const pairs = cells.flatMap((value, row) => {
    const weight = weights[row];
    return value === null || weight === null ? [] : [[Number(value), Number(weight)] as const];
  });
  const total = exactSum(pairs.map(([, weight]) => weight));
  if (pairs.length === 0 || total === 0) return { value: null, low: 0, high: 0 };
  const products = pairs.map(([value, weight]) => value * weight);
  const size = products.reduce((sum, product) => sum + Math.abs(product), 0);
  const sum = products.reduce((left, right) => left + right, 0);
  const slack = ((size * pairs.length * 2 ** -52) / Math.abs(total)) * 4;
  return around(sum / total, slack, 4);
}

/**
 * Computes the correlation with exact means. The bounds follow from the size of the numbers compared to their spread.
 */
function correlation(cells: readonly Scalar[], others: readonly Scalar[]): Bounds {
  const pairs = cells.flatMap((value, row) => {
    const other = others[row];
    return value === null || other === null ? [] : [[Number(value), Number(other)] as const];
  });
  const [left, right] = [0, 1].map((side) => {
    const numbers = pairs.map((pair) => pair[side]);
    const isConstant = numbers.every((number) => number === numbers[0]);
    const mean = isConstant ? numbers[0] : exactSum(numbers) / numbers.length;
    const differences = numbers.map((number) => number - mean);
    const spread = Math.hypot(...differences);
    const size = numbers.reduce((most, number) => Math.max(most, Math.abs(number)), 0);
    return { differences, spread, slack: (size / spread) * numbers.length * 2 ** -49 };
  });
  if (pairs.length < 2 || left.spread === 0 || right.spread === 0)
    return { value: null, low: 0, high: 0 };
  const products = left.differences.map((each, index) => each * right.differences[index]);
  const sum = products.reduce((total, each) => total + each, 0);
  const value = Math.max(-1, Math.min(1, sum / left.spread / right.spread));
  return around(value, left.slack + right.slack + 2 ** -45);
}
