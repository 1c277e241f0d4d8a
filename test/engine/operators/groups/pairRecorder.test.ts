import assert from "node:assert/strict";
import { vectorSize } from "../../../../engine/kernels/kernels.ts";
import {
  groupShiftOf,
  pairCountOf,
  partBitsOf,
} from "../../../../engine/operators/groups/pairParts.ts";
import { PairRecorder } from "../../../../engine/operators/groups/pairRecorder.ts";
import { countParts, percentilesOfParts } from "../../../../engine/operators/output/finishPairs.ts";
import { Heap } from "../../../../engine/operators/task/heap.ts";
import { rounds } from "../../../support/layer.ts";
import { createRandom, withSeed, type Random } from "../../../support/random.ts";
import { suite } from "../../../support/suite.ts";

interface Pair {
  readonly group: number;
  readonly value: number;
}

/** Records pairs in vectors of random lengths. */
function record(random: Random, heap: Heap, recorder: PairRecorder, pairs: readonly Pair[]) {
  const groups = heap.reserve(vectorSize * 4);
  const values = heap.reserve(vectorSize * 8);
  return (areDoubles: boolean) => {
    for (let from = 0; from < pairs.length;) {
      const rows = pairs.slice(from, from + 1 + random.below(vectorSize));
      const addend = random.below(Math.min(...rows.map(({ group }) => group)) + 1);
      const { u32, f64 } = heap.arena;
      rows.forEach(({ group, value }, row) => {
        u32[groups / 4 + row] = group - addend;
        if (areDoubles) f64[values / 8 + row] = value;
        else u32[values / 4 + row] = Number.isNaN(value) ? 0 : value + 1;
      });
      recorder.add(groups, values, rows.length, addend);
      from += rows.length;
    }
    return recorder.take();
  };
}

suite("engine/operators/groups/pairRecorder", (test) => {
  test("distinct values are counted by group over the pairs of several tasks", async () => {
    const random = createRandom();
    await withSeed(random, async () => {
      for (let round = 0; round < rounds({ quick: 4, deep: 100 }); round++) {
        const keys = random.pick([undefined, { groupBits: 32 }, { groupBits: 12, base: -1 }]);
        const areDoubles = keys?.groupBits !== 32;
        const groupCount = random.pick([1, 7, 3000]);
        const valueCount = random.pick([1, 50, 20_000]);
        const partBits = random.below(5);
        const values = Array.from({ length: valueCount }, (_, index) =>
          random.pick(
            keys
              ? [NaN, index, index * (keys.base ? 2 ** 36 : 1)]
              : [NaN, -0, 0, index / 7, -index],
          ),
        );
        const sweepCount = random.pick([5000, 2 ** 23]);
        const distinct = Array.from({ length: groupCount }, () => new Set<number>());
        const recorded = Array.from({ length: 1 + random.below(3) }, () => {
          const heap = new Heap();
          const pairs = Array.from({ length: random.pick([0, 10, 20_000]) }, () => ({
            group: random.below(groupCount),
            value: random.pick(values),
          }));
          for (const { group, value } of pairs)
            if (!Number.isNaN(value)) distinct[group].add(value + 0);
          const options = { keys, by: "hash", partBits, groupShift: 0, sweepCount } as const;
          const parts = record(random, heap, new PairRecorder(heap, options), pairs)(areDoubles);
          const most = Math.max(sweepCount + vectorSize, 2 * 20_000);
          assert.ok(parts.reduce((sum, part) => sum + pairCountOf(part), 0) <= most);
          return parts;
        });
        const counts = new Uint32Array(groupCount);
        const parts = Array.from({ length: 2 ** partBits }, (_, part) =>
          recorded.map((each) => each[part]),
        );
        const [one, other] = [parts.slice(0, 3), parts.slice(3)];
        countParts({ keys, parts: one, counts }, new Heap());
        countParts({ keys, parts: other, counts }, new Heap());
        assert.deepEqual(
          [...counts],
          distinct.map(({ size }) => size),
        );
      }
    });
  });

  test("duplicates are removed when many pairs are recorded", () => {
    const random = createRandom();
    const heap = new Heap();
    const keys = { groupBits: 32 };
    const options = { keys, by: "hash", partBits: 2, groupShift: 0 } as const;
    const recorder = new PairRecorder(heap, { ...options, sweepCount: 10_000 });
    const pairs = Array.from({ length: 100_000 }, (_, row) => ({ group: row % 5, value: row % 7 }));
    const parts = record(random, heap, recorder, pairs)(false);
    assert.ok(parts.reduce((sum, part) => sum + pairCountOf(part), 0) < 20_000);
  });

  test("percentiles are selected by group over the pairs of several tasks", async () => {
    const random = createRandom();
    await withSeed(random, async () => {
      for (let round = 0; round < rounds({ quick: 3, deep: 60 }); round++) {
        const groupCount = random.pick([1, 7, 1000, 5001]);
        const partBits = random.below(5);
        const groupShift = groupShiftOf(groupCount, partBits);
        const valuesByGroup = Array.from({ length: groupCount }, (): number[] => []);
        const recorded = Array.from({ length: 2 }, () => {
          const heap = new Heap();
          const pairs = Array.from({ length: random.pick([0, 10, 20_000]) }, () => ({
            group: random.below(groupCount),
            value: random.chance(0.1) ? NaN : random.below(1000) / 8 - 20,
          }));
          for (const { group, value } of pairs)
            if (!Number.isNaN(value)) valuesByGroup[group].push(value);
          const options = { keys: undefined, by: "group", partBits, groupShift } as const;
          return record(random, heap, new PairRecorder(heap, options), pairs)(true);
        });
        const columns = [0, 0.5, 1].map(() => new Float64Array(groupCount));
        for (const rest of [0, 1]) {
          const numbers = [...Array(2 ** partBits).keys()].filter((part) => part % 2 === rest);
          percentilesOfParts({
            fractions: [0, 0.5, 1],
            parts: numbers.map((part) => recorded.map((each) => each[part])),
            firsts: numbers.map((part) => part * 2 ** groupShift),
            groupsPerPart: 2 ** groupShift,
            columns,
          });
        }
        valuesByGroup.forEach((values, group) => {
          const sorted = values.toSorted((left, right) => left - right);
          const middle = (sorted.length - 1) / 2;
          const median = (sorted[Math.floor(middle)] + sorted[Math.ceil(middle)]) / 2;
          assert.deepEqual(
            columns.map((column) => column[group]),
            sorted.length === 0 ? [NaN, NaN, NaN] : [sorted[0], median, sorted[sorted.length - 1]],
          );
        });
      }
    });
  });

  test("parts are numbered below 2^8, and ranges of groups cover all groups", () => {
    for (const rowCount of [0, 1, 32_768, 32_769, 1e7, 1e9]) {
      const partBits = partBitsOf(rowCount);
      assert.ok(partBits >= 0 && partBits <= 8);
      for (const capacity of [0, 1, 2, 255, 256, 257, 2 ** 24])
        assert.ok(2 ** (groupShiftOf(capacity, partBits) + partBits) >= capacity);
    }
  });
});
