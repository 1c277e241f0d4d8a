import * as assert from "uvu/assert";
import { instantText } from "../../../../core/queries/present/instantText.ts";
import { createRandom, withSeed } from "../../../support/random.ts";
import { oddInstants } from "../../../support/randomBatch.ts";
import { suite } from "../../../support/suite.ts";

suite("core/queries/present/instantText", (test) => {
  test.deep("instants are formatted as Date formats them, over all years and at the limits", () =>
    withSeed(createRandom(), async () => {
      const random = createRandom();
      const instants = [...oddInstants, -0.5, 0.5, -1.5, -0];
      for (let day = -100_000_000; day <= 100_000_000; day += 97 * 13)
        instants.push(day * 86_400_000);
      for (let day = -719_530; day < 2_932_900; day += 97) instants.push(day * 86_400_000);
      for (let count = 0; count < 20_000; count++)
        instants.push((random.below(2 ** 31) - 2 ** 30) * 250_000 + random.below(250_000));
      for (const instant of instants) {
        const expected = new Date(instant).toISOString();
        if (instantText(instant) !== expected)
          assert.is(instantText(instant), expected, String(instant));
      }
    }),
  );

  test("formatting fails for instants that a Date cannot represent", () => {
    for (const instant of [8.64e15 + 1, -8.64e15 - 1, Infinity, -Infinity, NaN])
      assert.throws(() => instantText(instant), /Invalid time value/);
  });
});
