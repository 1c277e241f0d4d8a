import type { Random } from "../../support/random.ts";
import type { ColumnMaker } from "./columnMaker.ts";
import type { GeneratedTable } from "./randomBound.ts";

/** Returns a table like `makeTable`, but with few distinct codes and few distinct first numbers per row group. */
export function makeFewTable(
  random: Random,
  maker: ColumnMaker,
  rowCounts: readonly number[],
  hasNulls = true,
): GeneratedTable {
  const few = rowCounts.map((rowCount) => {
    const low = random.below(20) - 10;
    const range = random.pick([1, 2, 4, 15, 17]);
    const unit = random.pick([1, 1, 10]);
    const nullShare = hasNulls ? random.pick([0, 0, 0.1]) : 0;
    return Float64Array.from({ length: rowCount }, () =>
      random.chance(nullShare) ? NaN : (low + random.below(range)) / unit,
    );
  });
  const columns = [
    maker.exactly(few),
    maker.numbers(undefined, hasNulls),
    maker.instants(hasNulls),
    maker.codes(random.pick([3, 4, 6]), hasNulls),
    maker.codes(random.pick([3, 9, 17, 20]), hasNulls),
  ];
  return { columns, numbers: [0, 1], instants: [2], codes: [3, 4] };
}
