import { aggregationDefinitions, type Query, type Rounding } from "../protocol/index.ts";
import type { PlainTable } from "./answerPlainly.ts";

/** Bits that a sum of few doubles may lose, relative to the sum of their sizes. */
const sumBound = 2 ** -48;
/** A deviation from a mean that is rounded: a few units in the last place of the greatest value. */
const deviationBound = 2 ** -50;

/**
 * Returns, by column of the answer, by how much right answers may differ because doubles are rounded: values far from 0
 * that cancel each other leave the rounding. 0 for what is not computed. O(rows) for each computed column.
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
