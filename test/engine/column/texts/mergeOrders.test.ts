import * as assert from "uvu/assert";
import { mergeOrders } from "../../../../engine/column/texts/mergeOrders.ts";
import { createRandom, withSeed } from "../../../support/random.ts";
import { suite } from "../../../support/suite.ts";

suite("engine/column/texts/mergeOrders", (test) => {
  test("two ordered lists of codes, of any lengths, merge into one ordered list", async () => {
    const random = createRandom();
    await withSeed(random, async () => {
      for (let round = 0; round < 300; round++) {
        const share = random.pick([0, 0.01, 0.5, 0.9, 1]);
        const all = Array.from({ length: random.pick([0, 1, 2, 500]) }, (_, value) => value);
        const added = random.some(all, share);
        const isAdded = new Set(added);
        const known = all.filter((value) => !isAdded.has(value));
        const merged = new Int32Array(all.length).fill(-1);
        const compare = (left: number, right: number) => left - right;
        mergeOrders(Int32Array.from(known), Int32Array.from(added), compare, merged);
        assert.equal(Array.from(merged), all);
      }
    });
  });

  test("merging a few codes into many takes few comparisons", () => {
    const known = Int32Array.from({ length: 100_000 }, (_, index) => index * 2);
    const added = Int32Array.of(7, 4001, 150_001);
    const merged = new Int32Array(100_003);
    let count = 0;
    const compare = (left: number, right: number) => {
      count++;
      return left - right;
    };
    mergeOrders(known, added, compare, merged);
    assert.equal(merged, Int32Array.from([...known, ...added]).sort());
    assert.ok(count < 120, `${count} comparisons`);
  });
});
