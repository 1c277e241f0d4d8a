import * as assert from "uvu/assert";
import { cutAnswer } from "../../../../engine/operators/output/cutAnswer.ts";
import {
  finishHash,
  finishHashPart,
  orderedByKeys,
} from "../../../../engine/operators/output/finishHash.ts";
import { Heap } from "../../../../engine/operators/task/heap.ts";
import { joinParts } from "../../../../engine/operators/output/joinParts.ts";
import { DigestList } from "../../../../engine/operators/groups/laneDigests.ts";
import type { LaneGroups } from "../../../../engine/operators/groups/laneGroups.ts";
import { canSplit, splitGroups } from "../../../../engine/operators/groups/splitGroups.ts";
import type { BoundGrouping, BoundPlan } from "../../../../engine/plan/boundPlan.ts";
import { createRandom, withSeed, type Random } from "../../../support/random.ts";
import { rounds } from "../../../support/layer.ts";
import { suite } from "../../../support/suite.ts";

const of = { kind: "column", column: 0 } as const;
const grouping: BoundGrouping = {
  mode: "hash",
  capacity: 0,
  keys: [
    { kind: "value", of },
    { kind: "text", code: { kind: "byCode", column: 1 }, cardinality: 9 },
  ],
  slots: [{ kind: "rows" }, { kind: "extent", of: { of, decimals: -1 } }, { kind: "variance", of }],
  rows: { slot: 0, lane: 0 },
  distincts: [{ kind: "number", of }],
  quantiles: [
    { of, decimals: -1, low: 0, factor: 0, bucketCount: 2, shift: -1, fractions: [0.25] },
  ],
  sketches: [of],
  digests: [of],
  outputs: [
    { kind: "key", key: 0 },
    { kind: "key", key: 1 },
    { kind: "count", count: { slot: 0, lane: 0 } },
    { kind: "least", extent: 1, decimals: -1 },
    { kind: "stddev", variance: 2 },
    { kind: "distinct", distinct: 0 },
    { kind: "percentile", quantile: 0, fraction: 0.25 },
    { kind: "approximatedistinct", sketch: 0 },
    { kind: "approximatepercentile", digest: 0, fraction: 0.75 },
  ],
};

function randomLane(random: Random): LaneGroups {
  const found = new Map<string, readonly [number, number]>();
  for (let count = random.pick([0, 1, 30, 200]); count > 0; count--) {
    const key = random.pick([NaN, 0, -0, 1 / 3, random.below(40)]);
    const code = random.below(9);
    found.set(`${key + 0} ${code}`, [key, code]);
  }
  const keys = [...found.values()];
  const groupCount = keys.length;
  const doubles = (length: number) => Float64Array.from({ length }, () => random.below(1000) / 8);
  const pairs = (isDistinct: boolean) => {
    const rows = keys.flatMap((_, group) =>
      Array.from({ length: random.below(6) }, () => [group, random.below(20)] as const),
    );
    const kept = isDistinct ? [...new Map(rows.map((row) => [row.join(), row])).values()] : rows;
    return {
      groups: Float64Array.from(kept, ([group]) => group),
      values: Float64Array.from(kept, ([, value]) => value),
    };
  };
  const digest = new DigestList();
  for (let group = 0; group < groupCount; group++)
    for (let count = random.pick([0, 3, 600]); count > 0; count--)
      digest.add(group, random.below(100));
  return {
    groupCount,
    keys: [Float64Array.from(keys, ([key]) => key), Float64Array.from(keys, ([, code]) => code)],
    keyTexts: [],
    distinctTexts: [],
    slots: [
      Float64Array.from({ length: groupCount * 2 }, (_, at) => (at % 2 ? 0 : 1 + random.below(5))),
      doubles(groupCount * 2),
      Float64Array.from({ length: groupCount * 4 }, (_, at) =>
        at % 4 === 3 ? 0 : 1 + random.below(5),
      ),
    ],
    distincts: [pairs(true)],
    lists: [pairs(false)],
    sketches: [pairs(true)],
    digests: [digest.take()],
  };
}

/** Returns the bits of doubles, which distinguish 0 from -0. */
const toBits = (column: Float64Array) => Array.from(new BigUint64Array(column.slice().buffer));

suite("engine/operators/groups/splitGroups", (test) => {
  test("groups have the same bits whether they are merged in parts or at once", async () => {
    const random = createRandom();
    await withSeed(random, async () => {
      for (let round = 0; round < rounds({ quick: 4, deep: 40 }); round++) {
        const lanes = Array.from({ length: 1 + random.below(4) }, () => randomLane(random));
        const plan: BoundPlan = {
          columns: [],
          rowCount: 1000,
          laneCount: 16,
          grouping,
          order: random.chance(0.6) ? [{ output: 2, descending: random.chance(0.5) }] : [],
          ...(random.chance(0.5) && {
            limit: { offset: random.below(4), count: random.below(30) },
          }),
        };
        const expected = finishHash(plan, grouping, lanes, new Heap());
        const partCount = 1 + random.below(4);
        const split = lanes.map((lane) => splitGroups(lane, partCount));
        const parts = Array.from({ length: partCount }, (_, part) =>
          finishHashPart(
            plan,
            grouping,
            split.map((groups) => groups[part]),
            new Heap(),
          ),
        );
        const joined = joinParts(parts.map(({ columns }) => columns));
        const columns = cutAnswer(orderedByKeys(plan, grouping), joined);
        assert.equal(columns.map(toBits), expected.columns.map(toBits));
      }
    });
  });

  test("groups are not split into parts if their keys are strings that are computed row by row", () => {
    const made = {
      kind: "computed",
      of: { kind: "rows", type: "text", expression: { kind: "column", name: "a" }, inputs: [] },
    } as const;
    assert.ok(canSplit(grouping));
    assert.not.ok(canSplit({ ...grouping, keys: [made] }));
    assert.not.ok(canSplit({ ...grouping, distincts: [made] }));
  });

  test("a plan without keys has one group, which is not split into parts", () => {
    assert.not.ok(canSplit({ ...grouping, keys: [] }));
  });
});
