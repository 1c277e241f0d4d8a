import * as assert from "uvu/assert";
import { openLookout } from "../../../../core/jobs/queue/openLookout.ts";
import { suite } from "../../../support/suite.ts";

/** A clock that the test advances. */
function openClock() {
  let nowMs = 0;
  let timer: { readonly atMs: number; readonly run: () => void } | undefined;
  const settle = () => new Promise((resolve) => setImmediate(resolve));
  return {
    now: () => nowMs,
    later: (run: () => void, ms: number) => {
      const made = { atMs: nowMs + ms, run };
      timer = made;
      return () => {
        if (timer === made) timer = undefined;
      };
    },
    /** Advances the clock. Work that a timer starts completes before the next timer fires. */
    async passTo(untilMs: number) {
      await settle();
      while (timer && timer.atMs <= untilMs) {
        const { atMs, run } = timer;
        timer = undefined;
        nowMs = Math.max(nowMs, atMs);
        run();
        await settle();
      }
      nowMs = untilMs;
    },
  };
}

suite("core/jobs/queue/openLookout", (test) => {
  const open = (waitMs: (nowMs: number) => number = () => Infinity) => {
    const clock = openClock();
    const looks: number[] = [];
    const lookout = openLookout({
      ...clock,
      everyMs: 5_000,
      leastMs: 1_000,
      look: async () => {
        looks.push(clock.now());
        return waitMs(clock.now());
      },
    });
    return { clock, looks, lookout };
  };

  test("the lookout for due items polls once at the start and then at intervals", async () => {
    const { clock, looks } = open();
    await clock.passTo(16_000);
    assert.equal(looks, [0, 5_000, 10_000, 15_000]);
  });

  test("a lookout polls when the next item is due, but not within the minimum interval", async () => {
    const beginsAt = [2_500, 2_600, 9_000];
    const { clock, looks } = open(
      (nowMs) => Math.min(...beginsAt.filter((at) => at > nowMs)) - nowMs,
    );
    await clock.passTo(12_000);
    assert.equal(looks, [0, 2_500, 3_500, 8_500, 9_500]);
  });

  test("adding an item can only make the next poll earlier", async () => {
    const { clock, looks, lookout } = open();
    await clock.passTo(1_500);
    lookout.lookIn(2_000);
    lookout.lookIn(4_000);
    lookout.lookIn(700);
    await clock.passTo(2_300);
    lookout.lookIn(0);
    await clock.passTo(9_000);
    assert.equal(looks, [0, 2_200, 3_200, 8_200]);
  });

  test("polls never overlap, and items added during a slow poll are not lost", async () => {
    const clock = openClock();
    const { promise, resolve } = Promise.withResolvers<number>();
    const looks: number[] = [];
    const lookout = openLookout({
      ...clock,
      everyMs: 5_000,
      leastMs: 1_000,
      look: async () => (looks.push(clock.now()) === 1 ? promise : Infinity),
    });
    lookout.lookIn(0);
    await clock.passTo(20_500);
    assert.equal(looks, [0]);
    resolve(Infinity);
    await clock.passTo(22_000);
    assert.equal(looks, [0, 21_000]);
  });

  test("a closed lookout does not poll", async () => {
    const { clock, looks, lookout } = open();
    await clock.passTo(1_000);
    lookout.close();
    lookout.lookIn(0);
    await clock.passTo(20_000);
    assert.equal(looks, [0]);
  });
});
