import * as assert from "uvu/assert";
import { warmPeriods } from "../../../engine/warming/warmPeriods.ts";
import { suite } from "../../support/suite.ts";

suite("engine/warming/warmPeriods", (test) => {
  test("each warm-up round computes the tables of every period in every zone while the store is idle", async () => {
    let checkCount = 0;
    const made = await warmPeriods(() => Promise.resolve(++checkCount > 0));
    assert.is(checkCount, 8);
    assert.is(made, 8 * 3 * 5);
  });

  test("the warm-up of periods stops after a round in which the store is no longer idle", async () => {
    let left = 2;
    assert.is(await warmPeriods(() => Promise.resolve(left-- > 0)), 2 * 3 * 5);
    assert.is(await warmPeriods(() => Promise.resolve(false)), 0);
  });
});
