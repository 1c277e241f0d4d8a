import * as assert from "uvu/assert";
import { FreeList } from "../../../engine/memory/freeList.ts";
import { createRandom, withSeed } from "../../support/random.ts";
import { suite } from "../../support/suite.ts";

const sizeBytes = 64 * 4096;

suite("engine/memory/freeList", (test) => {
  test("allocated ranges never overlap, and returning all of them leaves one free range", async () => {
    const random = createRandom();
    await withSeed(random, async () => {
      const list = new FreeList();
      list.give(0, sizeBytes);
      const owners = new Int32Array(4096);
      const taken: { offset: number; units: number; owner: number }[] = [];
      for (let step = 1; step <= 20_000; step++) {
        if (random.chance(0.55)) {
          const units = random.chance(0.1) ? 1 + random.below(600) : 1 + random.below(20);
          const offset = list.take(units * 64);

          if (offset === undefined) {
            const free = longestRun(owners);
            assert.ok(
              free < units * 2,
              `${units} units are refused although ${free} adjacent ones are free`,
            );
            continue;
          }
          assert.is(offset % 64, 0);
          for (let unit = offset / 64; unit < offset / 64 + units; unit++) {
            assert.is(owners[unit], 0, `unit ${unit} is assigned twice`);
            owners[unit] = step;
          }
          taken.push({ offset, units, owner: step });
        } else if (taken.length > 0) {
          const [{ offset, units, owner }] = taken.splice(random.below(taken.length), 1);
          for (let unit = offset / 64; unit < offset / 64 + units; unit++) {
            assert.is(owners[unit], owner);
            owners[unit] = 0;
          }
          list.give(offset, units * 64);
        }
      }
      for (const { offset, units } of taken) list.give(offset, units * 64);
      assert.is(list.freeBefore(sizeBytes), sizeBytes);
      assert.is(list.take(sizeBytes), 0);
    });
  });

  test("a free range of exactly the requested size is found", () => {
    for (let units = 1; units < 3000; units += 7) {
      const list = new FreeList();
      list.give(64, units * 64);
      assert.is(list.take(units * 64 + 64), undefined);
      assert.is(list.take(units * 64), 64);
      assert.is(list.take(64), undefined);
    }
  });
});

function longestRun(owners: Int32Array): number {
  let longest = 0;
  let run = 0;
  for (const owner of owners) {
    run = owner === 0 ? run + 1 : 0;
    if (run > longest) longest = run;
  }
  return longest;
}
