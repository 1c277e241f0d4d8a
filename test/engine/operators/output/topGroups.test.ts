import * as assert from "uvu/assert";
import { topGroups } from "../../../../engine/operators/output/topGroups.ts";
import type { BoundGrouping, BoundOutput, BoundPlan } from "../../../../engine/plan/boundPlan.ts";
import { createRandom, withSeed } from "../../../support/random.ts";
import { suite } from "../../../support/suite.ts";

const grouping: BoundGrouping = {
  mode: "direct",
  capacity: 0,
  keys: [],
  slots: [],
  rows: { slot: 0, lane: 0 },
  distincts: [],
  quantiles: [],
  sketches: [],
  digests: [],
  outputs: [],
};

suite("engine/operators/output/topGroups", (test) => {
  test("all groups that may be among the first are kept, including all ties with the last of these groups", async () => {
    const random = createRandom();
    await withSeed(random, async () => {
      let narrowed = 0;
      for (let round = 0; round < 400; round++) {
        const groupCount = random.pick([10, 100, 1000]);
        const decimals = random.pick([-1, 0, 2]);
        const states = Float64Array.from({ length: groupCount * 4 }, (_, index) =>
          index % 2 === 0
            ? random.pick([0, 1, 2, 3])
            : random.pick([random.below(50) - 25, random.below(1e6), Infinity, -0]),
        );
        const count = { slot: 0, lane: 0 } as const;
        const sum = { slot: 0, lane: 1 } as const;
        const outputs: BoundOutput[] = [
          { kind: "count", count },
          { kind: "sum", sum, count, decimals },
          { kind: "average", sum, count, decimals },
          { kind: "least", extent: 0, decimals },
          { kind: "greatest", extent: 0, decimals },
          { kind: "key", key: 0 },
        ];
        const output = random.below(outputs.length);
        const descending = random.chance(0.5);
        const limit = { offset: random.below(5), count: random.below(20) };
        const plan: BoundPlan = {
          rowCount: 0,
          laneCount: 1,
          columns: [],
          order: [{ output, descending }],
          limit,
        };
        const all = Int32Array.from({ length: groupCount }, (_, group) => group);
        const groups = Int32Array.from(random.some([...all], random.pick([0.5, 1])));
        const candidates = [...groups];
        const left = topGroups(
          plan,
          { ...grouping, outputs },
          states,
          ({ lane }) => lane,
          groups,
          groups.length,
        );
        const kept = [...groups.subarray(0, left)];
        if (left < candidates.length) narrowed++;
        const unit = decimals > 0 ? 10 ** decimals : 1;
        const valueOf = (group: number) => {
          const [number, total] = [states[group * 2], states[group * 2 + 1]];
          if (output === 0) return number;
          if (output === 3) return number / unit;
          if (output === 4) return -total / unit;
          if (number === 0) return NaN;
          return output === 1 ? total / unit : total / unit / number;
        };
        const weigh = (group: number) => {
          const value = valueOf(group);
          if (!Number.isFinite(value)) return Infinity;
          return descending ? -value : value;
        };
        assert.equal(
          kept,
          candidates.filter((group) => kept.includes(group)),
          "the selected groups keep their order",
        );
        const wanted = limit.offset + limit.count;
        const isNarrowed = output < 5 && wanted > 0 && candidates.length >= wanted * 4;
        if (!isNarrowed) assert.equal(kept, candidates);
        else {
          const weights = candidates.map(weigh).sort((a, b) => a - b);
          const worst = weights[wanted - 1];
          assert.equal(
            kept,
            candidates.filter((group) => weigh(group) <= worst),
          );
        }
      }
      assert.ok(narrowed > 20);
    });
  });

  test("sums, averages and extremes are compared by the values that the answer shows", () => {
    // Before rounding, the first average is smaller; the answer shows both as 0.7.
    const count = { slot: 0, lane: 0 } as const;
    const average: BoundOutput = {
      kind: "average",
      sum: { slot: 0, lane: 1 },
      count,
      decimals: 1,
    };
    const random = createRandom(26);
    for (let round = 0; round < 2000; round++) {
      const groupCount = 8;
      const base = 1 + random.below(2 ** 26);
      const states = Float64Array.from({ length: groupCount * 2 }, (_, index) =>
        index % 2 === 0 ? base + random.below(3) : (base + random.below(3)) * 7_000_003,
      );
      const plan: BoundPlan = {
        rowCount: 0,
        laneCount: 1,
        columns: [],
        order: [{ output: 0, descending: false }],
        limit: { offset: 0, count: 2 },
      };
      const groups = Int32Array.from({ length: groupCount }, (_, group) => group);
      const left = topGroups(
        plan,
        { ...grouping, outputs: [average] },
        states,
        ({ lane }) => lane,
        groups,
        groupCount,
      );
      const shown = (group: number) => states[group * 2 + 1] / 10 / states[group * 2];
      const [, worst] = Array.from({ length: groupCount }, (_, group) => shown(group)).sort(
        (a, b) => a - b,
      );
      assert.equal(
        [...groups.subarray(0, left)],
        [0, 1, 2, 3, 4, 5, 6, 7].filter((group) => shown(group) <= worst),
      );
    }
  });

  test("all groups are kept if the query has a `having`, a cumulative sum, an order by string or no limit", () => {
    const states = Float64Array.from({ length: 200 }, (_, index) => index);
    const count: BoundOutput = { kind: "count", count: { slot: 0, lane: 0 } };
    const text: BoundOutput = {
      kind: "least",
      extent: 0,
      decimals: -1,
      codesByRank: new Int32Array(4),
    };
    const running: BoundOutput = {
      kind: "cumulativesum",
      sum: { slot: 0, lane: 1 },
      count: { slot: 0, lane: 0 },
      decimals: -1,
    };
    const order = [{ output: 0, descending: true }];
    const limit = { offset: 0, count: 3 };
    const left = { kind: "column", column: 0 } as const;
    const plain = { rowCount: 0, laneCount: 1, columns: [] };
    const kept = (plan: BoundPlan, outputs: readonly BoundOutput[]) =>
      topGroups(
        plan,
        { ...grouping, outputs },
        states,
        () => 0,
        Int32Array.from({ length: 100 }, (_, group) => group),
        100,
      );
    assert.is(kept({ ...plain, order, limit }, [count]), 3);
    assert.is(kept({ ...plain, order }, [count]), 100);
    assert.is(kept({ ...plain, order: [], limit }, [count]), 100);
    assert.is(kept({ ...plain, order, limit, having: { kind: "isNull", left } }, [count]), 100);
    assert.is(kept({ ...plain, order, limit }, [count, running]), 100);
    assert.is(kept({ ...plain, order, limit }, [text]), 100);
    assert.is(kept({ ...plain, order, limit: { offset: 4097, count: 0 } }, [count]), 100);
  });
});
