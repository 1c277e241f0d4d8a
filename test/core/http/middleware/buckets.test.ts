import * as assert from "uvu/assert";
import { createBuckets } from "../../../../core/http/middleware/buckets.ts";
import { createRandom, withSeed } from "../../../support/random.ts";
import { suite } from "../../../support/suite.ts";

suite("core/http/middleware/buckets", (test) => {
  const open = (options: Partial<Parameters<typeof createBuckets>[0]> = {}) => {
    const clock = { ms: 0 };
    const now = () => clock.ms;
    return {
      clock,
      buckets: createBuckets({ perSecond: 10, burst: 200, limit: 1_000, now, ...options }),
    };
  };
  const taken = (take: () => number, count: number) =>
    Array.from({ length: count }, take).filter((waitMs) => waitMs === 0).length;

  test("a bucket with a rate of ten allows a burst, followed by ten calls per second", () => {
    const { clock, buckets } = open();
    const take = () => buckets.take("a");
    assert.is(taken(take, 500), 200);
    assert.ok(Math.abs(take() - 100) < 1e-6);
    clock.ms += 99;
    assert.is(taken(take, 5), 0);
    clock.ms += 1;
    assert.is(taken(take, 5), 1);
    clock.ms += 1_000;
    assert.is(taken(take, 50), 10);
    clock.ms += 3_600_000;
    assert.is(taken(take, 500), 200);
  });

  test("taking tokens from one bucket does not affect other buckets", () => {
    const { buckets } = open({ burst: 1 });
    assert.is(buckets.take("a"), 0);
    assert.ok(buckets.take("a") > 0);
    assert.is(buckets.take("b"), 0);
  });

  test("reading the waiting time of a bucket takes no token", () => {
    const { buckets } = open({ burst: 1 });
    assert.equal([buckets.wait("a"), buckets.wait("a"), buckets.count], [0, 0, 0]);
    buckets.take("a");
    assert.ok(buckets.wait("a") > 0);
  });

  test("refused calls take no tokens, so retrying does not prolong the wait", () => {
    const { clock, buckets } = open({ burst: 1, perSecond: 1 });
    buckets.take("a");
    for (let step = 0; step < 9; step++) {
      clock.ms += 100;
      assert.ok(buckets.take("a") > 0, String(step));
    }
    clock.ms += 100.001;
    assert.is(buckets.take("a"), 0);
  });

  test("the number of buckets in memory is limited for any number of names", () => {
    const { clock, buckets } = open({ limit: 100 });
    for (let name = 0; name < 10_000; name++) {
      buckets.take(`n${name}`);
      assert.ok(buckets.count <= 100);
    }
    clock.ms += 60_000;
    for (let name = 0; name < 60; name++) buckets.take(`m${name}`);
    assert.ok(buckets.count <= 61, `${buckets.count} are kept`);
  });

  test("buckets match a naive list of call times per name, for random calls", async () => {
    const random = createRandom();
    await withSeed(random, async () => {
      const { clock, buckets } = open({ burst: 3, perSecond: 2 });
      const plain = new Map<string, { left: number; at: number }>();
      for (let step = 0; step < 5_000; step++) {
        clock.ms += random.below(300);
        const name = String(random.below(5));
        const state = plain.get(name) ?? { left: 3, at: clock.ms };
        // The naive list must round as the buckets do, because some of the 5,000 steps end exactly when a call becomes
        // available.
        const left = Math.min(3, state.left + ((clock.ms - state.at) / 1000) * 2);
        const isLet = left >= 1;
        plain.set(name, { left: isLet ? left - 1 : left, at: clock.ms });
        assert.is(buckets.take(name) === 0, isLet, `step ${step}`);
      }
    });
  });
});
