import type { Aggregation, Cell, QueryColumn } from "../protocol/index.ts";
import { compareCells } from "./compareCells.ts";
import type { Semantics } from "./semantics.ts";

/** A factor for large doubles, with which their sums and the sums of their squares stay within the range of doubles. */
const sumScale = 2 ** -64;
const squareScale = 2 ** -560;

/**
 * Aggregates the values of a group. `seconds` contains the value of the second column in each row: the weight, or the
 * other number. O(values * log values).
 */
export function aggregate(
  cells: readonly Cell[],
  {
    aggregation,
    fraction = 0.5,
  }: Pick<QueryColumn, "fraction"> & { readonly aggregation: Aggregation },
  seconds: readonly Cell[],
  semantics: Semantics,
): Cell {
  const present = cells.filter((cell) => cell !== null);
  switch (aggregation) {
    case "count":
      if (semantics.countsDistinct) return new Set(present).size;
      return semantics.countsNulls ? cells.length : present.length;
    case "distinctcount": {
      const keys = present.map((cell) =>
        typeof cell === "string" ? semantics.equalityKey(cell) : cell,
      );
      const hasNull = semantics.countsNulls && present.length < cells.length;
      return new Set(keys).size + Number(hasNull);
    }
    case "min":
    case "max":
      if (semantics.nanIsGreatest && aggregation === "max" && hasNan(cells)) return null;
      return extreme(present, aggregation, semantics);
    case "sum":
    case "cumulativesum":
      if (present.length === 0) return semantics.emptySumIsZero ? 0 : null;
      return withScale((scale) => sumOf(summedOf(present, semantics), scale) / scale, sumScale);
    case "weightedaverage":
      return weightedAverage(cells, seconds);
    case "corr":
      return correlation(cells, seconds, semantics);
    case "average":
    case "stddev":
    case "median":
    case "percentile": {
      const values = semantics.nullIsZero ? cells.map((cell) => cell ?? 0) : present;
      if (values.length === 0) return null;
      if (aggregation === "average") return average(summedOf(values, semantics), semantics);
      if (aggregation === "stddev") return deviation(values, semantics);
      return percentile(values, aggregation === "median" ? 0.5 : fraction, semantics);
    }
    default:
      throw new TypeError(`${aggregation satisfies never} is an unknown aggregation`);
  }
}

/** Returns whether a null in a column may stand for NaN, because the column contains numbers. */
function hasNan(cells: readonly Cell[]): boolean {
  return cells.includes(null) && cells.some((cell) => typeof cell === "number");
}

function extreme(
  values: readonly (string | number)[],
  aggregation: "min" | "max",
  semantics: Semantics,
): Cell {
  let found: string | number | null = null;
  for (const value of values) {
    const sign = found === null ? 0 : compareCells(value, found, "asc", semantics);
    if (found === null || (aggregation === "min" ? sign < 0 : sign > 0)) found = value;
  }
  return found;
}

function sumOf(values: readonly (string | number)[], scale: number): number {
  return values.reduce((total: number, value) => total + Number(value) * scale, 0);
}

/** Computes a result with the scale 1. If an intermediate result overflows, computes it again with a smaller scale. */
function withScale(compute: (scale: number) => number, smaller: number): number | null {
  const direct = compute(1);
  const result = Number.isFinite(direct) ? direct : compute(smaller);
  return Number.isFinite(result) ? result : null;
}

function average(values: readonly (string | number)[], { roundAverage }: Semantics): Cell {
  const mean = withScale((scale) => sumOf(values, scale) / values.length / scale, sumScale);
  return mean === null ? null : roundAverage(mean);
}

function summedOf(
  values: readonly (string | number)[],
  { sumsDistinct }: Semantics,
): readonly (string | number)[] {
  return sumsDistinct ? [...new Set(values)] : values;
}

function deviation(
  values: readonly (string | number)[],
  { populationDeviation }: Semantics,
): number | null {
  const degrees = values.length - (populationDeviation ? 0 : 1);
  if (degrees === 0) return null;
  return withScale((scale) => {
    const mean = sumOf(values, scale) / values.length;
    const squares = values.map((value) => (Number(value) * scale - mean) ** 2);
    return Math.sqrt(squares.reduce((all, square) => all + square, 0) / degrees) / scale;
  }, squareScale);
}

function percentile(
  values: readonly (string | number)[],
  fraction: number,
  { lowerPercentiles }: Semantics,
): number {
  const sorted = values.map(Number).toSorted((one, other) => one - other);
  const place = fraction * (sorted.length - 1);
  const low = sorted[Math.floor(place)] ?? NaN;
  const high = lowerPercentiles ? low : (sorted[Math.ceil(place)] ?? NaN);
  return low + (high - low) * (place - Math.floor(place));
}

function weightedAverage(values: readonly Cell[], weights: readonly Cell[]): Cell {
  let [products, total, count] = [0, 0, 0];
  values.forEach((value, row) => {
    const weight = weights[row] ?? null;
    if (value === null || weight === null) return;
    products += Number(value) * Number(weight);
    total += Number(weight);
    count++;
  });
  if (count === 0 || total === 0) return null;
  const mean = products / total;
  return Number.isFinite(mean) ? mean : null;
}

/**
 * Computes Pearson's correlation of the rows where neither number is null. Numbers whose squares exceed the range of
 * doubles are scaled, which does not change the correlation.
 */
function correlation(
  cells: readonly Cell[],
  others: readonly Cell[],
  { nullIsZero }: Semantics,
): Cell {
  const pairs = cells.flatMap((cell, row) => {
    const other = others[row] ?? null;
    const isPair = nullIsZero || (cell !== null && other !== null);
    return isPair ? [[Number(cell ?? 0), Number(other ?? 0)] as const] : [];
  });
  if (pairs.length < 2) return null;
  const left = spreadOf(pairs.map(([number]) => number));
  const right = spreadOf(pairs.map(([, number]) => number));
  if (left.squares === 0 || right.squares === 0) return null;
  const products = left.differences.map((each, index) => each * (right.differences[index] ?? 0));
  const value = sumOf(products, 1) / Math.sqrt(left.squares) / Math.sqrt(right.squares);
  return Math.max(-1, Math.min(1, value));
}

/** The differences of numbers to their mean, and the sum of their squares. */
interface Spread {
  readonly differences: readonly number[];
  readonly squares: number;
}

function spreadOf(numbers: readonly number[], scale = 1): Spread {
  const scaled = numbers.map((number) => number * scale);
  // The mean of equal numbers is one of them. Computing it could round it.
  const isConstant = numbers.every((number) => number === numbers[0]);
  const mean = isConstant ? Number(scaled[0]) : sumOf(scaled, 1) / scaled.length;
  const differences = scaled.map((number) => number - mean);
  const squares = differences.reduce((total, each) => total + each ** 2, 0);
  return Number.isFinite(squares) || scale !== 1
    ? { differences, squares }
    : spreadOf(numbers, squareScale);
}
