import * as assert from "uvu/assert";
import {
  interpolate,
  percentile,
  percentileRank,
  selectNth,
} from "../../../engine/sketches/quantile.ts";
import { suite } from "../../support/suite.ts";
import { createRandom, withSeed, type Random } from "../../support/random.ts";

/**
 * Returns values in orders that are hard for selection: sorted, reversed, equal, few distinct values, organ pipe,
 * zigzag and random.
 */
function makeValues(random: Random, count: number): Float64Array {
  const shape = random.below(7);
  return Float64Array.from({ length: count }, (_, index) => {
    if (shape === 0) return index;
    if (shape === 1) return -index;
    if (shape === 2) return 7;
    if (shape === 3) return random.below(3);
    if (shape === 4) return Math.min(index, count - index);
    if (shape === 5) return index % 2 === 0 ? index : -index;
    return (random.below(2 ** 30) - 2 ** 29) / 1024;
  });
}

suite("engine/sketches/quantile", (test) => {
  test("selectNth returns the value that sorting puts at the position, and moves nothing outside its range", async () => {
    const random = createRandom();
    await withSeed(random, async () => {
      for (let round = 0; round < 500; round++) {
        const count = 1 + random.below(random.pick([4, 30, 3000]));
        const values = makeValues(random, count);
        const start = random.below(count);
        const end = start + 1 + random.below(count - start);
        const nth = start + random.below(end - start);
        const before = values.slice();
        const sorted = values.slice(start, end).sort();
        assert.is(selectNth(values, start, end, nth), sorted[nth - start]);
        assert.ok(values.subarray(start, nth).every((value) => value <= values[nth]));
        assert.ok(values.subarray(nth, end).every((value) => value >= values[nth]));
        assert.equal(values.slice(0, start), before.slice(0, start));
        assert.equal(values.slice(end), before.slice(end));
        assert.equal(values.slice(start, end).sort(), sorted);
      }
    });
  });

  test("selectNth sorts the remaining values if the input defeats the median of three", () => {
    const count = 4000;
    const killer = new Float64Array(count);
    for (let index = 0; index < count / 2; index++) {
      killer[index] = index % 2 === 0 ? index + 1 : count / 2 + index;
      killer[count / 2 + index] = 2 * (index + 1);
    }
    const sorted = killer.slice().sort();
    for (const nth of [0, 1, count / 2, count - 1])
      assert.is(selectNth(killer.slice(), 0, count, nth), sorted[nth]);
  });

  test("a percentile lies between the two values next to its rank", async () => {
    assert.equal(percentileRank(5, 0.5), { lower: 2, upper: 2, weight: 0 });
    assert.equal(percentileRank(4, 0.5), { lower: 1, upper: 2, weight: 0.5 });
    assert.equal(percentileRank(1, 0.9), { lower: 0, upper: 0, weight: 0 });
    const random = createRandom();
    await withSeed(random, async () => {
      for (let round = 0; round < 300; round++) {
        const values = makeValues(random, 1 + random.below(300));
        const sorted = values.slice().sort();
        const fraction = random.pick([0, 1, 0.5, 0.25, 0.9, random.below(1000) / 1000]);
        const place = (values.length - 1) * fraction;
        const [low, high] = [sorted[Math.floor(place)], sorted[Math.ceil(place)]];
        const found = percentile(values, 0, values.length, fraction);
        const share = place - Math.floor(place);
        const expected = low === high || share === 0 ? low : low * (1 - share) + high * share;
        assert.is(found, expected, `${fraction}`);
      }
    });
  });

  test("extreme doubles neither overflow nor lose precision in percentiles", () => {
    const most = Number.MAX_VALUE;
    assert.is(percentile(Float64Array.from([most, -most]), 0, 2, 0.5), 0);
    assert.is(percentile(Float64Array.from([most, most]), 0, 2, 0.3), most);
    assert.is(interpolate(0.1, 0.1, 0.3), 0.1);
    assert.ok(Number.isNaN(percentile(Float64Array.from([1, 2]), 1, 1, 0.5)));
  });
});
