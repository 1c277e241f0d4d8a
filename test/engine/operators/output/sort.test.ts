import * as assert from "uvu/assert";
import { sort } from "../../../../engine/operators/output/sort.ts";
import type { BoundOrder } from "../../../../engine/plan/boundPlan.ts";
import { createRandom, withSeed } from "../../../support/random.ts";
import { suite } from "../../../support/suite.ts";

/** Sorts rows in the simplest way: compares them cell by cell, with nulls last, and equal rows by row number. */
function plainSort(
  columns: readonly Float64Array[],
  order: readonly BoundOrder[],
  rowCount: number,
): number[] {
  const rows = Array.from({ length: rowCount }, (_, row) => row);
  return rows.sort((left, right) => {
    for (const { output, descending, ranks } of order) {
      const [a, b] = [columns[output][left], columns[output][right]];
      const isNull = (value: number) => (ranks ? value === 0 : value !== value);
      if (isNull(a) || isNull(b)) {
        if (isNull(a) !== isNull(b)) return isNull(a) ? 1 : -1;
        continue;
      }
      const difference = ranks ? ranks[a - 1] - ranks[b - 1] : a - b;
      if (difference !== 0) return descending ? -difference : difference;
    }
    return left - right;
  });
}

suite("engine/operators/output/sort", (test) => {
  test("sorting by any number of output columns returns the same order as a simple comparison", async () => {
    const random = createRandom();
    await withSeed(random, async () => {
      for (let round = 0; round < 300; round++) {
        const rowCount = random.below(round < 280 ? 60 : 5000);
        const ranks = Int32Array.from({ length: 8 }, (_, code) => (code * 5) % 8);
        const columns = [
          Float64Array.from({ length: rowCount }, () =>
            random.below(6) === 0 ? NaN : random.below(5) - 2,
          ),
          Float64Array.from({ length: rowCount }, () => random.below(9)),
          Float64Array.from({ length: rowCount }, () => random.below(1000) / 7),
        ];
        const order = Array.from({ length: random.below(4) }, (): BoundOrder => {
          const output = random.below(3);
          const descending = random.below(2) === 0;
          return output === 1 ? { output, descending, ranks } : { output, descending };
        });
        const expected = plainSort(columns, order, rowCount);
        assert.equal([...sort(columns, order, rowCount)], expected);
        const wanted = random.below(rowCount + 1);
        assert.equal([...sort(columns, order, rowCount, wanted)], expected.slice(0, wanted));
      }
    });
  });
});
