import * as assert from "uvu/assert";
import { createBackgroundGate } from "../../../../core/queries/run/createBackgroundGate.ts";
import { createRandom, withSeed } from "../../../support/random.ts";
import { suite } from "../../../support/suite.ts";

const whole = new AbortController().signal;

/** A clock that the test advances, and a simulated main thread to which the test adds work. */
function openClock() {
  let [nowMs, activeMs] = [0, 0];
  const timers = new Set<{ readonly atMs: number; readonly run: () => void }>();
  return {
    options: {
      mostUtilization: 0.6,
      now: () => nowMs,
      activeMs: () => activeMs,
      later: (run: () => void, ms: number) => {
        const timer = { atMs: nowMs + ms, run };
        timers.add(timer);
        return () => timers.delete(timer);
      },
    },
    now: () => nowMs,
    timerCount: () => timers.size,
    work(ms: number) {
      nowMs += ms;
      activeMs += ms;
    },
    /** Advances the clock. The promises of each timer settle before the next timer fires. */
    async pass(ms: number) {
      await new Promise((resolve) => setImmediate(resolve));
      for (const untilMs = nowMs + ms; ;) {
        const [next] = [...timers].toSorted((one, other) => one.atMs - other.atMs);
        if (!next || next.atMs > untilMs) {
          nowMs = Math.max(nowMs, untilMs);
          return;
        }
        nowMs = Math.max(nowMs, next.atMs);
        timers.delete(next);
        next.run();
        await new Promise((resolve) => setImmediate(resolve));
      }
    },
  };
}

suite("core/queries/run/createBackgroundGate", (test) => {
  test("all background queries start at once while no person's query is running", async () => {
    const clock = openClock();
    const { begin } = createBackgroundGate(clock.options);
    const begun: number[] = [];
    const requested = Array.from({ length: 100 }, () =>
      begin(whole).then(() => begun.push(clock.now())),
    );
    clock.work(1_000);
    await clock.pass(0);
    await Promise.all(requested);
    assert.is(begun.length, 100);
    assert.ok(
      begun.every((at) => at <= 1_000),
      String(begun),
    );
    assert.is(clock.timerCount(), 0);
  });

  test("while a person's query is less than 100 ms old, one background query starts every 8 ms", async () => {
    const clock = openClock();
    const { begin, attend } = createBackgroundGate(clock.options);
    const begun: number[] = [];
    const sendQuery = () => begin(whole).then((end) => (begun.push(clock.now()), end()));
    await sendQuery();
    const leave = attend();
    const requested = [sendQuery(), sendQuery(), sendQuery()];
    await clock.pass(7);
    assert.equal(begun, [0]);
    await clock.pass(3);
    assert.equal(begun, [0, 8]);
    leave();
    await clock.pass(1);
    await Promise.all(requested);
    assert.equal(begun, [0, 8, 10, 10]);
  });

  test("a person's query that has run for more than 100 ms delays no background query", async () => {
    const clock = openClock();
    const { begin, attend } = createBackgroundGate(clock.options);
    const leave = attend();
    await clock.pass(100);
    const begun: number[] = [];
    const requested = Array.from({ length: 5 }, () =>
      begin(whole).then(() => begun.push(clock.now())),
    );
    await clock.pass(0);
    await Promise.all(requested);
    assert.equal(begun, [100, 100, 100, 100, 100]);
    leave();
  });

  test("up to eight background queries, in addition to slow ones, run next to people's queries", async () => {
    const clock = openClock();
    const { begin, attend } = createBackgroundGate(clock.options);
    attend()();
    const ends: (() => void)[] = [];
    for (let count = 0; count < 10; count++) void begin(whole).then((end) => ends.push(end));
    await clock.pass(50);
    assert.is(ends.length, 8);
    ends[0]?.();
    await clock.pass(0);
    assert.is(ends.length, 9);
    await clock.pass(50);
    assert.is(ends.length, 10);
    for (const end of ends) end();
    assert.is(clock.timerCount(), 0);
  });

  test("background queries keep to their share of the main thread, but at least one starts every 50 ms", async () => {
    const random = createRandom();
    await withSeed(random, async () => {
      const clock = openClock();
      const { begin, attend } = createBackgroundGate(clock.options);
      let [workedMs, count] = [0, 0];
      let isOver = false;
      const run = async () => {
        while (!isOver) {
          const end = await begin(whole);
          const costMs = 1 + random.below(5);
          clock.work(costMs);
          workedMs += costMs;
          count++;
          end();
        }
      };
      attend()();
      const runs = [run(), run(), run()];
      const startedAt = clock.now();
      while (clock.now() - startedAt < 10_000) {
        attend()();
        await clock.pass(100);
      }
      const share = workedMs / (clock.now() - startedAt);
      assert.ok(share > 0.5 && share < 0.65, String(share));
      // Another query keeps the main thread busy all the time.
      const before = count;
      for (let turn = 0; turn < 100; turn++) {
        attend()();
        clock.work(50);
        await clock.pass(0);
      }
      assert.ok(count - before > 50 && count - before < 150, String(count - before));
      isOver = true;
      await clock.pass(10_000);
      await Promise.all(runs);
    });
  });

  test("an aborted background query never starts and does not block the others", async () => {
    const clock = openClock();
    const { begin, attend } = createBackgroundGate(clock.options);
    (await begin(whole))();
    attend();
    const call = new AbortController();
    const ended = begin(call.signal).catch((failure: unknown) => failure);
    const other = begin(whole);
    call.abort(new Error("gone"));
    assert.is(((await ended) as Error).message, "gone");
    await clock.pass(8);
    (await other)();
    assert.is(await begin(call.signal).catch(({ message }: Error) => message), "gone");
  });
});
