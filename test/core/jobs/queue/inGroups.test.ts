import * as assert from "uvu/assert";
import { inGroups } from "../../../../core/jobs/queue/inGroups.ts";
import { createRandom, withSeed } from "../../../support/random.ts";
import { suite } from "../../../support/suite.ts";

suite("core/jobs/queue/inGroups", (test) => {
  test("items added in the same tick form a group, and items added while a group runs form the next group", async () => {
    const groups: number[][] = [];
    const double = inGroups(
      async (items: readonly number[]) => {
        groups.push([...items]);
        await new Promise((resolve) => setImmediate(resolve));
        return items.map((item) => item * 2);
      },
      { mostItems: 3 },
    );
    const requested = [1, 2, 3, 4, 5].map(double);
    await requested[0];
    const later = double(6);
    assert.equal(await Promise.all([...requested, later]), [2, 4, 6, 8, 10, 12]);
    assert.equal(groups, [
      [1, 2, 3],
      [4, 5, 6],
    ]);
  });

  test("a group starts at least everyMs after the previous group, unless the new group is full", async () => {
    let nowMs = 0;
    const groups: string[] = [];
    const run = inGroups(
      async (items: readonly number[]) => {
        groups.push(`${nowMs}: ${items.join(" ")}`);
        return items;
      },
      {
        mostItems: 3,
        everyMs: 50,
        now: () => nowMs,
        wait: async (ms) => {
          // More items arrive while a group is waiting.
          if (nowMs === 10) void run(3);
          nowMs += ms;
        },
      },
    );
    await run(1);
    nowMs = 10;
    await run(2);
    nowMs = 60;
    await Promise.all([4, 5, 6, 7].map(run));
    assert.equal(groups, ["0: 1", "50: 2 3", "60: 4 5 6", "110: 7"]);
  });

  test("each item gets its own result or error, whatever the other items of its group return", async () => {
    const random = createRandom();
    await withSeed(random, async () => {
      const isBad = (item: number) => item % 7 === 3;
      const run = inGroups(
        async (items: readonly number[]) => {
          await new Promise((resolve) => setImmediate(resolve));
          if (items.some(isBad)) throw new Error(`bad among ${items.length}`);
          return items.map((item) => -item);
        },
        { mostItems: 10 },
      );
      const requested: Promise<unknown>[] = [];
      for (let item = 0; item < 300; item++) {
        requested.push(run(item).catch((failure: Error) => failure.message));
        if (random.chance(0.1)) await new Promise((resolve) => setImmediate(resolve));
      }
      const results = await Promise.all(requested);
      results.forEach((result, item) =>
        assert.is(result, isBad(item) ? "bad among 1" : -item, `item ${item}`),
      );
    });
  });
});
