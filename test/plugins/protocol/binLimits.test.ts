import assert from "node:assert/strict";
import { limitsOf as engineLimitsOf } from "../../../engine/expressions/binLimits.ts";
import { limitsOf } from "../../../plugins/protocol/index.ts";
import { rounds } from "../../support/layer.ts";
import { createRandom, withSeed } from "../../support/random.ts";
import { suite } from "../../support/suite.ts";

suite("plugins/protocol/binLimits", (test) => {
  test("the limits of bins in the protocol and in the engine are equal, bit for bit", async () => {
    const random = createRandom();
    await withSeed(random, async () => {
      const widths = [0.1, 0.25, 1 / 3, 5, 0.007, 1e-7, 2.5e15, 12.5, 1e22];
      const origins = [0, -0.1, 0.3, 100, -7.5, 1e14 + 0.5];
      for (let round = 0; round < rounds({ quick: 1_000, deep: 20_000 }); round++) {
        const bin = {
          width: random.pick(widths) * (1 + random.below(9)),
          origin: random.pick(origins),
        };
        const value = (random.below(2_000_000) - 1_000_000) / random.pick([1, 8, 10, 1000]);
        const index = random.below(1000) - 500;
        const [ours, engines] = [limitsOf, engineLimitsOf].map((of) => {
          const { base, step, scale, limit, indexOf, startOf } = of(bin);
          return [base, step, scale, limit(index), indexOf(value), startOf(value)];
        });
        assert.deepEqual(ours, engines, JSON.stringify({ bin, value, index }));
      }
    });
  });
});
