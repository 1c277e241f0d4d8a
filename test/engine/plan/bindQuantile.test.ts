import * as assert from "uvu/assert";
import { Memory } from "../../../engine/memory/memory.ts";
import { bindPlan } from "../../../engine/plan/bindPlan.ts";
import type { BoundGrouping } from "../../../engine/plan/boundPlan.ts";
import { Table } from "../../../engine/table/table.ts";
import { createRandom, withSeed } from "../../support/random.ts";
import { rounds } from "../../support/layer.ts";
import { suite } from "../../support/suite.ts";

/** Binds a median of two values, grouped by a text column of `textCount` strings. */
function bindMedian(low: number, high: number, textCount: number): BoundGrouping {
  const memory = new Memory({ budgetBytes: 2 ** 26 });
  const table = new Table("t", memory, true, 0);
  const dictionary = Array.from({ length: textCount }, (_, code) => `t${code}`);
  const rowCount = Math.max(2, textCount);
  table.apply({
    add: [
      { name: "x", type: "number" },
      { name: "key", type: "text" },
    ],
    rows: {
      names: ["x", "key"],
      batch: {
        rowCount,
        columns: [
          {
            type: "number",
            values: Float64Array.from({ length: rowCount }, (_, row) => (row === 0 ? high : low)),
          },
          {
            type: "text",
            codes: Int32Array.from({ length: rowCount }, (_, row) => row % textCount),
            dictionary,
          },
        ],
      },
    },
  });
  const { plan } = bindPlan(
    {
      table: "t",
      grouped: true,
      outputs: [
        { kind: "key", of: { kind: "column", name: "key" } },
        { kind: "aggregate", function: "median", of: { kind: "column", name: "x" } },
      ],
    },
    new Map([["t", table.snapshot()]]),
    memory,
  );
  if (!plan.grouping) throw new Error("the plan has no groups");
  return plan.grouping;
}

suite("engine/plan/bindQuantile", (test) => {
  test("integers less than 2^31 apart get buckets that fit the cache, with a power of two as their width", async () => {
    const random = createRandom();
    await withSeed(random, async () => {
      for (let round = 0; round < rounds({ quick: 25, deep: 200 }); round++) {
        const decimals = random.pick([0, 0, 2]);
        const unit = 10 ** decimals;
        const range = random.below(2 ** random.below(32));
        const low = random.pick([0, random.below(2 ** 40) - 2 ** 39, -range]) * unit + (unit - 1);
        const textCount = 1 + random.below(random.pick([3, 60, 2000]));
        const { mode, capacity, quantiles } = bindMedian(
          low / unit,
          (low + range) / unit,
          textCount,
        );
        const [quantile] = quantiles;
        assert.is(mode, "direct");
        assert.is(quantile.low, low / 10 ** (decimals - Math.max(0, quantile.decimals)));
        const { shift, bucketCount, factor } = quantile;
        const own = range / 10 ** (decimals - quantile.decimals);
        assert.ok(shift >= 0, `shift ${shift}`);
        assert.is(factor, 1 / 2 ** shift);
        assert.is(bucketCount, 2 + Math.floor(own / 2 ** shift));
        const most = Math.max(64, 10_240 / capacity);
        if (shift === 0) assert.ok(own * capacity < 2 ** 17 || own < most);
        else {
          assert.ok(bucketCount - 1 <= most);
          assert.ok(1 + Math.floor(own / 2 ** (shift - 1)) > Math.floor(most));
        }
      }
    });
  });

  test("numbers that are fractional or at least 2^31 apart get buckets of equal width", () => {
    for (const [low, high] of [
      [0, 2 ** 31],
      [-(2 ** 52), 2 ** 52],
      [1 / 3, 700],
    ] as const) {
      const [{ shift, factor, bucketCount, decimals }] = bindMedian(low, high, 5).quantiles;
      const unit = 10 ** Math.max(0, decimals);
      assert.is(shift, -1);
      assert.is(factor, (bucketCount - 1) / ((high - low) * unit));
    }
  });

  test("values are recorded by group if their histograms would need more than 2^22 counters", () => {
    assert.equal(bindMedian(0, 2 ** 30, 60_000).paired?.quantiles, []);
    const { mode, paired } = bindMedian(0, 2 ** 30, 140_000);
    assert.is(mode, "direct");
    assert.equal(paired?.quantiles, [0]);
  });
});
