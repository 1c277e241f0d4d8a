import { setImmediate as nextTurn } from "node:timers/promises";
import * as assert from "uvu/assert";
import { createPacing } from "../../../../core/http/middleware/createPacing.ts";
import { suite } from "../../../support/suite.ts";

suite("core/http/middleware/createPacing", (test) => {
  test("work within a turn's limit does not wait, and further work continues in the next turn", async () => {
    const pacing = createPacing(100_000);
    assert.is(pacing.take(60_000), undefined);
    const waiting = pacing.take(60_000);
    assert.ok(waiting);
    await waiting;
    assert.is(pacing.take(10), undefined);
  });

  test("each turn does limited work, in the order of the calls, however many calls wait", async () => {
    const pacing = createPacing(128 * 1024);
    let turn = 0;
    let isDone = false;
    const count = () => {
      turn++;
      if (!isDone) setImmediate(count);
    };
    setImmediate(count);
    const done: { who: number; turn: number }[] = [];
    await Promise.all(
      Array.from({ length: 20 }, async (_, who) => {
        await pacing.take(64 * 1024);
        done.push({ who, turn });
      }),
    );
    isDone = true;
    assert.equal(
      done.map(({ who }) => who),
      Array.from({ length: 20 }, (_, who) => who),
    );
    for (let at = 0; at <= turn; at++)
      assert.ok(done.filter((each) => each.turn === at).length <= 3, JSON.stringify(done));
    await nextTurn();
  });
});
