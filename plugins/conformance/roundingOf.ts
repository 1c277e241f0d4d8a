import { aggregationDefinitions, type Query, type Rounding } from "../protocol/index.ts";
import type { PlainTable } from "./answerPlainly.ts";

/** Maximum relative error of a sum of doubles, compared with the sum of their absolute values. */
const sumBound = 2 ** -48;
/** Maximum relative error of a deviation from a rounded mean: a few units in the last place of the greatest value. */
const deviationBound = 2 ** -50;

/**
 * Returns how much correct results may differ in each column of the answer, because doubles are rounded. The error is
 * greatest if large values cancel each other out. 0 for columns that are not computed. O(rows) per computed column.
 */
export function roundingOf(query: Query, { rows }: PlainTable): readonly number[] {
  return query.columns.map(({ column_id, aggregation }) => {
    const rounds = aggregation && aggregationDefinitions[aggregation].rounds;
    if (rounds === undefined) return 0;
    const sizes = rows.map((row) => Math.abs(Number(row[column_id] ?? 0)));
    const size =
      rounds === "largest" ? Math.max(0, ...sizes) : sizes.reduce((total, each) => total + each, 0);
    return Number.isFinite(size) ? size * bounds[rounds] : 0;
  });
}

const bounds: Readonly<Record<Rounding, number>> = { total: sumBound, largest: deviationBound };
