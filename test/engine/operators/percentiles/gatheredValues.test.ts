import * as assert from "uvu/assert";
import { joinGathered } from "../../../../engine/operators/percentiles/gatheredValues.ts";
import { createRandom, withSeed } from "../../../support/random.ts";
import { suite } from "../../../support/suite.ts";

suite("engine/operators/percentiles/gatheredValues", (test) => {
  test("a bucket contains the values that all tasks gathered for it", async () => {
    const random = createRandom();
    await withSeed(random, async () => {
      for (let round = 0; round < 200; round++) {
        const bucketCount = random.below(12);
        const tasks = Array.from({ length: 1 + random.below(4) }, () =>
          Array.from({ length: bucketCount }, () =>
            Array.from({ length: random.pick([0, 1, 5, 32, 33, 200]) }, () => random.below(1000)),
          ),
        );
        const brought = tasks.map((buckets) => {
          let end = 0;
          const cursors = Uint32Array.from(buckets, ({ length }) => (end += length) - length);
          return { cursors, values: Float64Array.from(buckets.flat()) };
        });
        const { values, starts } = joinGathered(brought, bucketCount);
        assert.is(starts.length, bucketCount + 1);
        assert.is(starts[bucketCount], values.length);
        for (let bucket = 0; bucket < bucketCount; bucket++)
          assert.equal(
            [...values.subarray(starts[bucket], starts[bucket + 1])],
            tasks.flatMap((buckets) => buckets[bucket] ?? []),
          );
        assert.is(values === brought[0]?.values, tasks.length === 1);
      }
    });
  });
});
