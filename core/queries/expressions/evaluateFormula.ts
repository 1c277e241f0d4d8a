import type { FormulaAggregate, FormulaAggregation } from "./aggregates.ts";
import type { CompiledExpression } from "./compileExpression.ts";
import { compareValues, evaluate, type Value } from "../../../plugins/meanings/index.ts";

/** The columns of one row, by id. */
export type Row = (columnId: string) => Value;

/** Computes a formula over the rows of one group: the reference meaning of every aggregate. O(rows · log rows). */
export function evaluateFormula(
  { value, aggregates }: Pick<CompiledExpression, "value" | "aggregates">,
  rows: readonly Row[],
): Value {
  const results = aggregates.map((each) => aggregate(each, rows));
  return evaluate(value, (index) => results[Number(index)] ?? null);
}

function aggregate(
  { aggregation, of, fraction = 0.5 }: FormulaAggregate,
  rows: readonly Row[],
): Value {
  if (!of) return rows.length;
  const values = rows
    .map((column) => evaluate(of.expression, column))
    .filter((value) => value !== null)
    .toSorted(compareValues);
  const result = meanings[aggregation](values, fraction);
  return typeof result === "number" && !Number.isFinite(result) ? null : result;
}

type Fold = (values: readonly Value[], fraction: number) => Value;

const ofNumbers =
  (fold: (values: readonly number[], fraction: number) => Value): Fold =>
  (values, fraction) =>
    fold(values as readonly number[], fraction);

/** Over values that are sorted and never null. */
const meanings: Readonly<Record<FormulaAggregation, Fold>> = {
  count: (values) => values.length,
  distinctcount: (values) => new Set(values).size,
  sum: ofNumbers((values) => (values.length === 0 ? null : sum(values))),
  average: ofNumbers((values) => sum(values) / values.length),
  median: ofNumbers((values) => percentile(values, 0.5)),
  percentile: ofNumbers(percentile),
  stddev: ofNumbers((values) => {
    if (values.length < 2) return null;
    const mean = sum(values) / values.length;
    return Math.sqrt(sum(values.map((value) => (value - mean) ** 2)) / (values.length - 1));
  }),
  min: (values) => values[0] ?? null,
  max: (values) => values.at(-1) ?? null,
};

function sum(values: readonly number[]): number {
  return values.reduce((total, value) => total + value, 0);
}

function percentile(values: readonly number[], fraction: number): Value {
  const index = fraction * (values.length - 1);
  const low = values[Math.floor(index)];
  const high = values[Math.ceil(index)];
  if (low === undefined || high === undefined) return null;
  return low + (high - low) * (index - Math.floor(index));
}
