import * as assert from "uvu/assert";
import { checkPlugin, findingsOf } from "../../../plugins/conformance/index.ts";
import { rounds } from "../../support/layer.ts";
import { createRandom, withSeed } from "../../support/random.ts";
import { suite } from "../../support/suite.ts";
import { type Mistake, mistakeNames, plantedPlugin } from "./plantedLiars.ts";

const queryCount = rounds({ quick: 350, deep: 700 });

suite("plugins/conformance/plantedLiars", (test) => {
  test("an honest plugin over plain arrays passes the conformance kit without findings", async () => {
    const random = createRandom();
    await withSeed(random, async () => {
      for (let round = 0; round < rounds({ quick: 1, deep: 50 }); round++) {
        const seed = random.below(2 ** 31);
        const report = await checkPlugin({
          plugin: plantedPlugin(),
          seed,
          queryCount: rounds({ quick: 175, deep: 350 }),
        });
        assert.equal(
          findingsOf(report).map(({ does }) => does),
          [],
          `seed ${seed}`,
        );
      }
    });
  });

  for (const [at, [mistake, name]] of Object.entries(mistakeNames).entries()) {
    // The quick layer tries only a few of these mistakes, and the deep layer all of them.
    const declare = at % 14 === 0 ? test : test.deep;
    declare(`the conformance kit detects the planted mistake "${mistake}"`, async () => {
      const plugin = plantedPlugin(mistake as Mistake);
      const report = await checkPlugin({ plugin, seed: 1, queryCount });
      const found = findingsOf(report).map(({ does }) => does);
      assert.is(report.isPassed, false);
      assert.ok(
        found.some((does) => name.test(does)),
        found.join("; "),
      );
    });
  }
});
