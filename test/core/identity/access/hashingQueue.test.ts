import * as assert from "uvu/assert";
import { hashInQueue, refuseWhileHashing } from "../../../../core/identity/access/hashingQueue.ts";
import type { ApiError } from "../../../../core/base/errors.ts";
import { suite } from "../../../support/suite.ts";

suite("core/identity/access/hashingQueue", (test) => {
  const codeOf = (run: () => void): string => {
    try {
      run();
      return "admitted";
    } catch (failure) {
      return (failure as ApiError).code;
    }
  };

  test("at most two passwords are hashed at a time, known devices go first, and at most 20 unknown devices wait", async () => {
    const order: string[] = [];
    let running = 0;
    let most = 0;
    const releases: (() => void)[] = [];
    const hash = (name: string) => async () => {
      most = Math.max(most, ++running);
      order.push(name);
      await new Promise<void>((resolve) => releases.push(resolve));
      running--;
    };
    const waiting = Array.from({ length: 22 }, (_, index) => hashInQueue(hash(`s${index}`), false));
    assert.is(
      codeOf(() => refuseWhileHashing(false)),
      "HOST_BUSY",
    );
    const refused = await hashInQueue(hash("late"), false).catch(
      (failure: ApiError) => failure.code,
    );
    assert.is(refused, "HOST_BUSY");
    assert.is(
      codeOf(() => refuseWhileHashing(true)),
      "admitted",
    );
    waiting.push(hashInQueue(hash("known"), true));
    while (order.length < 23) {
      releases.shift()?.();
      await new Promise((resolve) => setImmediate(resolve));
    }
    for (const release of releases) release();
    await Promise.all(waiting);
    assert.equal(order.slice(0, 3), ["s0", "s1", "known"]);
    assert.is(most, 2);
  });
});
