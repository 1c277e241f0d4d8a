import * as assert from "uvu/assert";
import { createGroupLeaders } from "../../../../engine/operators/output/groupLeaders.ts";
import { leadingRows, numberRows } from "../../../../engine/operators/output/leadingRows.ts";
import { gather, sort } from "../../../../engine/operators/output/sort.ts";
import { createRandom, withSeed } from "../../../support/random.ts";
import { rounds } from "../../../support/layer.ts";
import { suite } from "../../../support/suite.ts";

suite("engine/operators/output/groupLeaders", (test) => {
  test("the leaders of random groups are the first rows of each group in a full sort", async () => {
    const random = createRandom();
    await withSeed(random, async () => {
      for (let round = 0; round < rounds({ quick: 15, deep: 500 }); round++) {
        const rowCount = random.below(3000);
        // Whole numbers, fractions, large numbers and codes of strings, all with nulls and repetitions. Keys have both
        // zeros.
        const [step, most] = [random.pick([1, 0.5, 2 ** 21]), 1 + random.below(300)];
        const numbers = (hasNegativeZero: boolean) =>
          Float64Array.from({ length: rowCount }, () => {
            if (random.chance(0.05)) return NaN;
            return hasNegativeZero && random.chance(0.02) ? -0 : (random.below(most) - 2) * step;
          });
        const ranks = Int32Array.from({ length: 20 }, (_, code) => (code * 7) % 20);
        const codes = Float64Array.from({ length: rowCount }, () => random.below(21));
        const columns = [numbers(true), numbers(true), codes, Float64Array.from(codes.keys())];
        const order = random.pick([
          [{ output: 1, descending: true }],
          [
            { output: 2, descending: random.chance(0.5), ranks },
            { output: 1, descending: false },
          ],
        ]);
        const outputs = random.pick([[0], [2], [0, 2], [], [2, 1]]);
        const limit = { outputs, count: 1 + random.below(3), offset: random.below(3) };

        const sorted = sort(columns, order, rowCount);
        const inOrder = columns.map((column) => gather(column, sorted));
        const whole = { ...limit, count: limit.offset + limit.count, offset: 0 };
        const places = leadingRows(inOrder, whole, rowCount);
        const rows = [...places]
          .map((place) => sorted[place]!)
          .toSorted((one, other) => one - other);
        const expected = columns.map((column) => [...gather(column, Uint32Array.from(rows))]);

        const isNumbered = random.chance(0.5);
        const { numbers: groups, numberCount } = numberRows(columns, outputs, rowCount);
        const groupCount = isNumbered ? numberCount + random.below(3) : undefined;
        const leaders = createGroupLeaders(limit, order, columns.length, groupCount);
        for (let from = 0; from < rowCount;) {
          const to = Math.min(rowCount, from + 1 + random.below(700));
          leaders?.add(
            columns.map((column) => column.subarray(from, to)),
            to - from,
            isNumbered ? groups.subarray(from, to) : undefined,
          );
          from = to;
        }
        const found = leaders?.take();
        const kept = found?.rows.map((column) => [...column]);
        assert.equal(kept, expected, JSON.stringify({ order, limit, rowCount }));
        assert.equal([...(found?.positions ?? [])], rows);
        assert.is(leaders?.take().rows[0]?.length, 0, "taken rows are forgotten");
      }
    });
  });

  test("limits of more than eight rows per group have no leaders", () => {
    const order = [{ output: 0, descending: false }];
    assert.ok(createGroupLeaders({ outputs: [0], count: 5, offset: 3 }, order, 1));
    assert.is(createGroupLeaders({ outputs: [0], count: 5, offset: 4 }, order, 1), undefined);
  });
});
