import * as assert from "uvu/assert";
import { passingRuns } from "../../../../engine/operators/filter/passingRuns.ts";
import { createRandom, withSeed } from "../../../support/random.ts";
import { suite } from "../../../support/suite.ts";

suite("engine/operators/filter/passingRuns", (test) => {
  test("the codes that pass a test are listed as the smallest possible number of runs", async () => {
    const random = createRandom();
    await withSeed(random, async () => {
      const found = new Set<number>();
      for (let round = 0; round < 3000; round++) {
        const share = random.pick([0, 0.1, 0.5, 0.95, 1]);
        const passes = Uint8Array.from({ length: random.below(20) }, () =>
          Number(random.chance(share)),
        );
        const starts = [...passes.keys()].filter(
          (code) => passes[code] === 1 && (code === 0 || passes[code - 1] === 0),
        );
        const most = random.below(4);
        const runs = passingRuns(passes, most);
        assert.is(runs?.length, starts.length <= most ? starts.length : undefined);
        if (!runs) continue;
        found.add(runs.length);
        const held = runs.flatMap(({ low, high }) =>
          Array.from({ length: high - low + 1 }, (_, index) => low + index),
        );
        assert.equal(
          held,
          [...passes.keys()].filter((code) => passes[code] === 1),
        );
      }
      assert.is(found.size, 4);
    });
  });
});
