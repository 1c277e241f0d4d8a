import { setImmediate as nextTurn } from "node:timers/promises";
import * as assert from "uvu/assert";
import { createTurns } from "../../../../core/http/middleware/turns.ts";
import { suite } from "../../../support/suite.ts";

suite("core/http/middleware/turns", (test) => {
  test("work within a turn does not wait, more of it goes on in the next (security S1)", async () => {
    const turns = createTurns(100_000);
    assert.is(turns.take(60_000), undefined);
    const waiting = turns.take(60_000);
    assert.ok(waiting);
    await waiting;
    assert.is(turns.take(10), undefined);
  });

  test("however many wait, a turn does a bounded part, in the order of asking (security S1)", async () => {
    const turns = createTurns(128 * 1024);
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
        await turns.take(64 * 1024);
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
