import * as assert from "uvu/assert";
import { percentile } from "../../../engine/sketches/quantile.ts";
import {
  addToDigest,
  addValue,
  digestDoubles,
  estimatePercentile,
  mergeDigest,
} from "../../../engine/sketches/tDigest.ts";
import { suite } from "../../support/suite.ts";
import { createRandom, withSeed, type Random } from "../../support/random.ts";

const fractions = [0, 0.001, 0.01, 0.05, 0.25, 0.5, 0.75, 0.9, 0.99, 0.999, 1];

const shapes = {
  uniform: (random: Random) => random.below(2 ** 30) / 2 ** 30,
  skewed: (random: Random) => Math.exp((random.below(2 ** 30) / 2 ** 30) * 40),
  few: (random: Random) => random.below(5),
  constant: () => 0.1,
  ascending: (_: Random, row: number) => row,
  descending: (_: Random, row: number) => -row,
  extreme: (random: Random) => random.pick([-1, 1]) * Number.MAX_VALUE * (random.below(9) / 8),
};

function digestOf(values: Float64Array): Float64Array {
  const digest = new Float64Array(digestDoubles);
  addToDigest(digest, values, values.length);
  return digest;
}

/**
 * Asserts that each estimate has nearly the requested rank: within `steps` steps of the scale k1, where a step at q is
 * 2 pi / 200 * sqrt(q (1 - q)).
 */
function checkRanks(
  digest: Float64Array,
  values: Float64Array,
  steps: number,
  label: string,
): void {
  const sorted = values.slice().sort();
  for (const fraction of fractions) {
    const estimate = estimatePercentile(digest, fraction);
    const slack =
      (steps * 2 * Math.PI * Math.sqrt(fraction * (1 - fraction))) / 200 + 2 / sorted.length;
    const low = sorted[Math.max(0, Math.floor((fraction - slack) * (sorted.length - 1)))];
    const high =
      sorted[Math.min(sorted.length - 1, Math.ceil((fraction + slack) * (sorted.length - 1)))];
    assert.ok(estimate >= low && estimate <= high, `${label} ${fraction}: ${estimate}`);
  }
  assert.is(estimatePercentile(digest, 0), sorted[0], label);
  assert.is(estimatePercentile(digest, 1), sorted[sorted.length - 1], label);
}

suite("engine/sketches/tDigest", (test) => {
  test("percentile estimates are within one step of the scale function of the requested rank", async () => {
    const random = createRandom();
    await withSeed(random, async () => {
      for (const [label, shape] of Object.entries(shapes))
        for (const count of [513, 5000, 60_000]) {
          const values = Float64Array.from({ length: count }, (_, row) => shape(random, row));
          checkRanks(digestOf(values), values, 1, `${label} ${count}`);
        }
    });
  });

  test("estimates from merged digests are within two steps of the requested rank, whatever the digests' sizes", async () => {
    const random = createRandom();
    await withSeed(random, async () => {
      for (const [label, shape] of Object.entries(shapes)) {
        const sizes = Array.from({ length: 12 }, () => random.pick([0, 1, 100, 600, 5000]));
        const parts = sizes.map((count) =>
          Float64Array.from({ length: count }, (_, row) => shape(random, row)),
        );
        const merged = new Float64Array(digestDoubles);
        for (const part of parts) mergeDigest(merged, digestOf(part));
        const values = Float64Array.from(parts.flatMap((part) => [...part]));
        if (values.length > 0) checkRanks(merged, values, 2, `${label} ${sizes.join()}`);
      }
    });
  });

  test("percentiles of up to 512 values are exact, merged or not, and ignore NaN", async () => {
    const random = createRandom();
    await withSeed(random, async () => {
      for (const count of [1, 2, 3, 500, 512]) {
        const values = Float64Array.from({ length: count }, () => random.below(1000) / 8);
        const half = count >> 1;
        const merged = digestOf(values.slice(0, half));
        mergeDigest(merged, digestOf(values.slice(half)));
        const spaced = new Float64Array(count * 2).fill(NaN);
        for (let row = 0; row < count; row++) spaced[row * 2] = values[row];
        for (const fraction of fractions) {
          const exact = percentile(values.slice(), 0, count, fraction);
          assert.is(estimatePercentile(merged, fraction), exact);
          assert.is(estimatePercentile(digestOf(spaced), fraction), exact);
        }
      }
    });
  });

  test("adding and merging the same values in the same order gives the same bits", async () => {
    const random = createRandom();
    await withSeed(random, async () => {
      const values = Float64Array.from({ length: 20_000 }, () => random.below(2 ** 30) / 7);
      const build = () => {
        const digest = digestOf(values.subarray(0, 9000));
        mergeDigest(digest, digestOf(values.subarray(9000)));
        return digest;
      };
      assert.equal(build(), build());
      const single = new Float64Array(digestDoubles);
      for (const value of values) addValue(single, value);
      assert.equal(single, digestOf(values));
    });
  });

  test("merging one digest into another changes only the other digest", () => {
    const other = digestOf(Float64Array.from({ length: 3000 }, (_, row) => row % 700));
    const before = other.slice();
    mergeDigest(digestOf(Float64Array.from([1, 2, 3])), other);
    assert.equal(other, before);
  });

  test("a digest without values has no percentile", () => {
    const digest = new Float64Array(digestDoubles);
    mergeDigest(digest, new Float64Array(digestDoubles));
    addToDigest(digest, Float64Array.from([NaN]), 1);
    assert.ok(Number.isNaN(estimatePercentile(digest, 0.5)));
  });
});
