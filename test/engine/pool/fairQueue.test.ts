import * as assert from "uvu/assert";
import { EngineError } from "../../../engine/errors.ts";
import { FairQueue } from "../../../engine/pool/fairQueue.ts";
import { suite } from "../../support/suite.ts";
import { rejects } from "../tables.ts";

suite("engine/pool/fairQueue", (test) => {
  test("tenants that wait take turns, and each tenant's queries keep their order", async () => {
    const queue = new FairQueue(1, 100);
    const started: string[] = [];
    const ask = (tenant: string, name: string) =>
      queue.run(tenant, undefined, async () => {
        started.push(name);
        await new Promise((resolve) => setImmediate(resolve));
      });
    const first = ask("x", "x0");
    const rest = ["a1", "a2", "a3", "a4"].map((name) => ask("a", name));
    await Promise.all([first, ...rest, ask("b", "b1"), ask("c", "c1"), ask("b", "b2")]);
    assert.equal(started, ["x0", "a1", "b1", "c1", "a2", "b2", "a3", "a4"]);
    assert.is(queue.running, 0);
    assert.is(queue.waiting, 0);
  });

  test("a query whose signal is aborted leaves the queue at once and never starts", async () => {
    const queue = new FairQueue(1, 100);
    const { promise, resolve } = Promise.withResolvers<void>();
    const first = queue.run("a", undefined, () => promise);
    const controller = new AbortController();
    let hasStarted = false;
    const second = queue.run("a", controller.signal, async () => void (hasStarted = true));
    assert.is(queue.waiting, 1);
    controller.abort();
    await rejects(second, "QUERY_CANCELLED");
    assert.is(queue.waiting, 0);
    resolve();
    await first;
    assert.is(hasStarted, false);
  });

  test("more than the limit of waiting queries are refused with STORE_BUSY, and nothing else is lost", async () => {
    const queue = new FairQueue(2, 3);
    const { promise, resolve } = Promise.withResolvers<void>();
    const asked = Array.from({ length: 7 }, (_, index) =>
      queue.run(`t${index}`, undefined, async () => {
        await promise;
        return index;
      }),
    );
    resolve();
    const settled = await Promise.allSettled(asked);
    assert.equal(
      settled.map((outcome) => (outcome.status === "fulfilled" ? outcome.value : "refused")),
      [0, 1, 2, 3, 4, "refused", "refused"],
    );
  });

  test("a query starts when as many places are free as it takes, and none overtakes it meanwhile", async () => {
    const queue = new FairQueue(3, 100);
    const started: string[] = [];
    const ask = (name: string, places: number) => {
      const { promise, resolve } = Promise.withResolvers<void>();
      const answer = queue.run(
        name,
        undefined,
        async () => {
          started.push(name);
          await promise;
        },
        places,
      );
      return async () => {
        resolve();
        await answer;
        await new Promise((next) => setImmediate(next));
      };
    };
    const ends = [ask("a", 1), ask("b", 1), ask("large", 3), ask("c", 1), ask("d", 1)];
    assert.equal(started, ["a", "b"]);
    await ends[0]();
    assert.equal(started, ["a", "b"]);
    await ends[1]();
    assert.equal(started, ["a", "b", "large"]);
    await ends[2]();
    assert.equal(started, ["a", "b", "large", "c", "d"]);
    await ends[3]();
    await ends[4]();
    assert.is(queue.running, 0);
  });

  test("when the one whose turn it is leaves, those behind it start in the places that are free", async () => {
    const queue = new FairQueue(2, 100);
    const { promise, resolve } = Promise.withResolvers<void>();
    const first = queue.run("a", undefined, () => promise);
    const leaving = new AbortController();
    const large = queue.run("b", leaving.signal, () => Promise.resolve(), 2);
    const small = queue.run("c", undefined, () => Promise.resolve(5));
    leaving.abort();
    await rejects(large, "QUERY_CANCELLED");
    assert.is(await small, 5);
    resolve();
    await first;
  });

  test("a query that fails makes room for the next one", async () => {
    const queue = new FairQueue(1, 10);
    const broken = new EngineError("WORKER_FAILED", ["broken"]);
    const failed = queue.run("a", undefined, () => Promise.reject(broken));
    const next = queue.run("a", undefined, () => Promise.resolve(7));
    await rejects(failed, "WORKER_FAILED");
    assert.is(await next, 7);
  });

  test("closing refuses all that wait with STORE_CLOSED", async () => {
    const queue = new FairQueue(1, 10);
    const { promise, resolve } = Promise.withResolvers<void>();
    const first = queue.run("a", undefined, () => promise);
    const waiting = queue.run("b", undefined, () => Promise.resolve());
    queue.clear();
    await rejects(waiting, "STORE_CLOSED");
    resolve();
    await first;
  });
});
