import * as assert from "uvu/assert";
import { createStarvationGuard } from "../../../../core/jobs/alerts/createStarvationGuard.ts";
import { suite } from "../../../support/suite.ts";

/** A clock that the test advances. */
function openClock() {
  let nowMs = 0;
  const waiting = new Set<{ readonly untilMs: number; readonly resolve: () => void }>();
  return {
    now: () => nowMs,
    wait: (ms: number, signal: AbortSignal) =>
      new Promise<void>((resolve, reject) => {
        const each = { untilMs: nowMs + ms, resolve };
        waiting.add(each);
        signal.addEventListener("abort", () => {
          waiting.delete(each);
          reject(signal.reason as Error);
        });
      }),
    async pass(ms: number) {
      for (const untilMs = nowMs + ms; nowMs < untilMs;) {
        nowMs = Math.min(untilMs, ...[...waiting].map((each) => Math.max(nowMs + 1, each.untilMs)));
        for (const each of [...waiting].filter((one) => one.untilMs <= nowMs)) {
          waiting.delete(each);
          each.resolve();
        }
        await new Promise((resolve) => setImmediate(resolve));
      }
    },
    waitingCount: () => waiting.size,
  };
}

suite("core/jobs/alerts/createStarvationGuard", (test) => {
  const patienceMs = 10_000;
  const whole = new AbortController().signal;

  test("after every ten seconds without a completed evaluation, one evaluation runs next to people's queries", async () => {
    const clock = openClock();
    const guard = createStarvationGuard({ patienceMs, ...clock });
    const ended: number[] = [];
    let [besideCount, mostBeside, behindCount] = [0, 0, 0];
    const sendQuery = (isBackground: boolean, signal: AbortSignal) =>
      new Promise<void>((resolve, reject) => {
        if (isBackground) {
          behindCount++;
          signal.addEventListener("abort", () => {
            behindCount--;
            reject(signal.reason as Error);
          });
          return;
        }
        mostBeside = Math.max(mostBeside, ++besideCount);
        void clock.wait(500, signal).then(() => {
          besideCount--;
          resolve();
        });
      });
    const requested = Array.from({ length: 5 }, () =>
      guard(sendQuery, whole).then(() => ended.push(clock.now())),
    );
    await clock.pass(9_000);
    assert.equal([ended.length, behindCount], [0, 5]);
    await clock.pass(60_000);
    await Promise.all(requested);
    assert.equal([mostBeside, behindCount, clock.waitingCount()], [1, 0, 0]);
    const gaps = ended.map((at, index) => at - (ended[index - 1] ?? 0));
    for (const gap of gaps) assert.ok(gap > patienceMs && gap < 2 * patienceMs + 1_000, `${gap}`);
  });

  test("while evaluations complete, even slowly, no evaluation gets the priority of people's queries", async () => {
    const clock = openClock();
    const guard = createStarvationGuard({ patienceMs, ...clock });
    const kinds: boolean[] = [];
    const taking = (ms: number) =>
      guard((isBackground, signal) => {
        kinds.push(isBackground);
        return clock.wait(ms, signal);
      }, whole);
    const slow = taking(60_000);
    let isDone = false;
    void slow.then(() => (isDone = true));
    while (!isDone) {
      const quick = taking(2_000);
      await clock.pass(2_500);
      await quick;
    }
    assert.ok(kinds.length > 20 && kinds.every(Boolean));
  });

  test("a caller learns that its evaluation failed or that the host closes, and later evaluations still run", async () => {
    const clock = openClock();
    const guard = createStarvationGuard({ patienceMs, ...clock });
    const failing = guard(() => Promise.reject(new Error("a source")), whole);
    assert.is(await failing.catch((failure: Error) => failure.message), "a source");
    const closing = new AbortController();
    const cut = guard((_isBackground, signal) => clock.wait(1e9, signal), closing.signal).catch(
      (failure: Error) => failure.message,
    );
    await clock.pass(15_000);
    closing.abort(new Error("the host closes"));
    assert.is(await cut, "the host closes");
    let besideCount = 0;
    const next = guard(async (isBackground, signal) => {
      if (isBackground) await clock.wait(1e9, signal);
      besideCount++;
    }, whole);
    await clock.pass(15_000);
    await next;
    assert.equal([besideCount, clock.waitingCount()], [1, 0]);
  });
});
