import * as assert from "uvu/assert";
import { estimateTest } from "../../../../engine/operators/filter/estimateTest.ts";
import { createRandom, withSeed } from "../../../support/random.ts";
import { suite } from "../../../support/suite.ts";
import { ColumnMaker } from "../columnMaker.ts";
import { makeTable, randomTest } from "../randomBound.ts";
import { openMemory, randomRowCounts } from "../vectorRun.ts";

suite("engine/operators/filter/estimateTest", (test) => {
  test.deep(
    "any test has an estimated cost of at least 0 and an estimated share of passing rows between 0 and 1",
    async () => {
      const random = createRandom();
      await withSeed(random, async () => {
        for (let round = 0; round < 40; round++) {
          const rowCounts = randomRowCounts(random);
          const table = makeTable(new ColumnMaker(random, openMemory(random), rowCounts));
          for (let each = 0; each < 40; each++) {
            const bound = randomTest(random, table);
            for (let group = 0; group < rowCounts.length; group++) {
              const { cost, share } = estimateTest(
                bound,
                (column) => table.columns[column].segments[group],
              );
              assert.ok(cost >= 0 && cost < Infinity, `cost ${cost}`);
              assert.ok(share >= 0 && share <= 1, `share ${share}`);
            }
          }
        }
      });
    },
  );

  test("if values are evenly spread, the estimated share of passing rows is close to the true share", async () => {
    const random = createRandom();
    await withSeed(random, async () => {
      const numbers = Float64Array.from({ length: 4096 }, (_, row) => row);
      const maker = new ColumnMaker(random, openMemory(random), [numbers.length]);
      const [segment] = maker.exactly([numbers]).segments;
      const left = { kind: "column", column: 0 } as const;
      for (let round = 0; round < 200; round++) {
        const value = random.below(4096);
        const operator = random.pick(["<", "<=", ">", ">="] as const);
        const compared = estimateTest({ kind: "compare", left, operator, value }, () => segment);
        const passing = operator.startsWith("<") ? value : 4096 - value;
        assert.ok(
          Math.abs(compared.share - passing / 4096) < 0.01,
          `${operator} ${value}: ${compared.share}`,
        );
        const passes = new Uint8Array(5000).fill(1, 0, value);
        const looked = estimateTest({ kind: "lookup", column: 0, passes }, () => segment);
        assert.ok(Math.abs(looked.share - value / 4096) < 0.03, `${value}: ${looked.share}`);
        const base = random.below(100);
        const numbered = estimateTest(
          { kind: "lookupNumber", of: left, base: 1 - base, passes: passes },
          () => segment,
        );
        const share = Math.min(4096, Math.max(0, value - base)) / 4096;
        assert.ok(Math.abs(numbered.share - share) < 0.03, `${value}: ${numbered.share}`);
      }
    });
  });
});
