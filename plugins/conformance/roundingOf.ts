import {
  aggregationDefinitions,
  type Query,
  type QueryColumn,
  type Rounding,
  secondColumnId,
} from "../protocol/index.ts";
import type { PlainRow, PlainTable } from "./answerPlainly.ts";

/** Maximum error of a sum of doubles, relative to the sum of their absolute values. */
const sumBound = 2 ** -48;
/**
 * Maximum error of a value's distance from a rounded mean, relative to the greatest value: a few units in the last
 * place.
 */
const deviationBound = 2 ** -50;
/** Maximum error of a correlation, relative to the greatest value divided by the standard deviation. */
const spreadBound = 2 ** -44;
/** The largest difference of two correlations. */
const spreadLimit = 2;

/**
 * Returns how much correct results may differ in each column of the answer, because doubles are rounded. The difference
 * is greatest if large values cancel each other out, and 0 for columns that are not computed. O(rows) per computed
 * column.
 */
export function roundingOf(query: Query, table: PlainTable): readonly number[] {
  return query.columns.map((column) => {
    const { aggregation } = column;
    const rounds = aggregation && aggregationDefinitions[aggregation].rounds;
    return rounds === undefined ? 0 : roundings[rounds](column, table, query);
  });
}

const roundings: Readonly<
  Record<Rounding, (column: QueryColumn, table: PlainTable, query: Query) => number>
> = {
  total({ column_id }, { rows }) {
    const sizes = numbersOf(column_id, rows).map(Math.abs);
    return finite(sumBound * sizes.reduce((total, each) => total + each, 0));
  },
  largest: ({ column_id }, { rows }) =>
    finite(deviationBound * largestOf(numbersOf(column_id, rows))),
  spread(column, { rows }, { columns }) {
    const ids = [column.column_id, secondColumnId(column) ?? column.column_id];
    const keys = columns.filter(({ aggregation }) => !aggregation);
    const groups = Map.groupBy(rows, (row) =>
      JSON.stringify(keys.map((key) => row[key.column_id])),
    );
    const ratios = [...groups.values()].map((group) => {
      const pairs = group.filter((row) => ids.every((id) => typeof row[id] === "number"));
      return ids.reduce((total, id) => total + ratioOf(numbersOf(id, pairs)), 0);
    });
    return Math.min(spreadLimit, spreadBound * largestOf(ratios));
  },
};

function numbersOf(columnId: string, rows: readonly PlainRow[]): readonly number[] {
  return rows.map((row) => Number(row[columnId] ?? 0));
}

function largestOf(numbers: readonly number[]): number {
  return numbers.reduce((most, number) => Math.max(most, Math.abs(number)), 0);
}

/** Returns the largest number divided by the standard deviation; 0 if all numbers are equal. */
function ratioOf(numbers: readonly number[]): number {
  if (numbers.every((number) => number === numbers[0])) return 0;
  const largest = largestOf(numbers);
  const mean = numbers.reduce((total, number) => total + number / numbers.length, 0);
  const deviations = numbers.map((number) => (number - mean) / largest);
  return Math.sqrt(numbers.length) / Math.hypot(...deviations);
}

const finite = (size: number): number => (Number.isFinite(size) ? size : 0);
