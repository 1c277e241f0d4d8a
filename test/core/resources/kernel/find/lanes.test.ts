import * as assert from "uvu/assert";
import { setTimeout as pause } from "node:timers/promises";
import { createLanes } from "../../../../../core/resources/kernel/find/lanes.ts";
import { createRandom, withSeed } from "../../../../support/random.ts";
import { suite } from "../../../../support/suite.ts";

suite("core/resources/kernel/find/lanes", (test) => {
  test("at most one task per lane runs at a time, and tasks start in the order of the calls", async () => {
    const random = createRandom();
    await withSeed(random, async () => {
      for (const laneCount of [1, 2, 3, 5]) {
        const lanes = createLanes(laneCount);
        const begun: number[] = [];
        let running = 0;
        let most = 0;
        const answers = await Promise.all(
          Array.from({ length: 20 }, (_, index) =>
            lanes(async () => {
              begun.push(index);
              most = Math.max(most, ++running);
              await pause(random.below(3));
              running -= 1;
              return index * 2;
            }),
          ),
        );
        assert.is(most, laneCount);
        assert.equal(begun, [...begun.keys()]);
        assert.equal(
          answers,
          begun.map((index) => index * 2),
        );
      }
    });
  });

  test("after a failure, lanes start no further task and reject the waiting calls with the failure", async () => {
    const lanes = createLanes(2);
    const begun: string[] = [];
    const ended: string[] = [];
    const run = (name: string, waitMs: number, failure?: Error) =>
      lanes(async () => {
        begun.push(name);
        await pause(waitMs);
        ended.push(name);
        if (failure) throw failure;
        return name;
      });
    const failure = new Error("the statement failed");
    const results = await Promise.allSettled([
      run("slow", 30),
      run("failing", 1, failure),
      run("third", 1),
      run("fourth", 1),
    ]);
    assert.equal(begun, ["slow", "failing"]);
    assert.equal(ended, ["failing", "slow"]);
    assert.equal(results, [
      { status: "fulfilled", value: "slow" },
      ...Array.from({ length: 3 }, () => ({ status: "rejected", reason: failure })),
    ]);
    await lanes(async () => assert.unreachable("started after the failure")).then(
      () => assert.unreachable("was answered"),
      (cause) => assert.is(cause, failure),
    );
  });
});
