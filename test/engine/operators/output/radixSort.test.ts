import * as assert from "uvu/assert";
import { radixSort } from "../../../../engine/operators/output/radixSort.ts";
import { createRandom, withSeed } from "../../../support/random.ts";
import { suite } from "../../../support/suite.ts";

const edges = [
  0,
  -0,
  1,
  -1,
  2 ** 31,
  2 ** 32 - 1,
  -(2 ** 32),
  2 ** 53,
  -(2 ** 53),
  5e-324,
  -5e-324,
];
const extremes = [Number.MAX_VALUE, -Number.MAX_VALUE, 0.1, -0.1, 1e-310];

suite("engine/operators/output/radixSort", (test) => {
  test("the radix sort orders any weights like a simple stable sort", async () => {
    const random = createRandom();
    await withSeed(random, async () => {
      const kinds = [
        () => random.below(40) - 20,
        () => random.pick([random.below(3000) - 100, Infinity]),
        () => random.below(2 ** 31) * 2 - 2 ** 31,
        () => (random.below(2000) - 1000) / 7,
        () => random.pick([...edges, Infinity]),
        () => random.pick([...edges, ...extremes, Infinity]),
        () => Infinity,
        () => 7,
      ];
      for (let round = 0; round < 200; round++) {
        const rowCount = random.below(round < 190 ? 300 : 9000);
        const weights = Array.from({ length: 1 + random.below(3) }, () => {
          const kind = random.pick(kinds);
          return Float64Array.from({ length: rowCount }, kind);
        });
        const expected = Array.from({ length: rowCount }, (_, row) => row).sort((left, right) => {
          for (const column of weights) {
            const [a = 0, b = 0] = [column[left], column[right]];
            if (a < b) return -1;
            if (a > b) return 1;
          }
          return left - right;
        });
        assert.equal([...radixSort(weights, rowCount)], expected);
      }
    });
  });
});
