import * as assert from "uvu/assert";
import { EngineError } from "../../../engine/errors.ts";
import { FairQueue } from "../../../engine/pool/fairQueue.ts";
import { suite } from "../../support/suite.ts";
import { rejects } from "../tables.ts";

/** Returns a user in a separate organization. */
const tenantOf = (user: string) => ({ organization: `of ${user}`, user });

suite("engine/pool/fairQueue", (test) => {
  test("waiting tenants take turns, and each tenant's queries start in order", async () => {
    const queue = new FairQueue({ places: 1, waitingLimit: 100 });
    const started: string[] = [];
    const run = (tenant: string, name: string) =>
      queue.run(tenantOf(tenant), undefined, async () => {
        started.push(name);
        await new Promise((resolve) => setImmediate(resolve));
      });
    const first = run("x", "x0");
    const rest = ["a1", "a2", "a3", "a4"].map((name) => run("a", name));
    await Promise.all([first, ...rest, run("b", "b1"), run("c", "c1"), run("b", "b2")]);
    assert.equal(started, ["x0", "a1", "b1", "c1", "a2", "b2", "a3", "a4"]);
    assert.is(queue.running, 0);
    assert.is(queue.waiting, 0);
  });

  test("an aborted query leaves the queue at once and never starts", async () => {
    const queue = new FairQueue({ places: 1, waitingLimit: 100 });
    const { promise, resolve } = Promise.withResolvers<void>();
    const first = queue.run(tenantOf("a"), undefined, () => promise);
    const controller = new AbortController();
    let hasStarted = false;
    const second = queue.run(
      tenantOf("a"),
      controller.signal,
      async () => void (hasStarted = true),
    );
    assert.is(queue.waiting, 1);
    controller.abort();
    await rejects(second, "QUERY_CANCELLED");
    assert.is(queue.waiting, 0);
    resolve();
    await first;
    assert.is(hasStarted, false);
  });

  test("queries beyond the limit of waiting queries fail with STORE_BUSY, and all others run", async () => {
    const queue = new FairQueue({ places: 2, waitingLimit: 3 });
    const { promise, resolve } = Promise.withResolvers<void>();
    const runs = Array.from({ length: 7 }, (_, index) =>
      queue.run(tenantOf(`t${index}`), undefined, async () => {
        await promise;
        return index;
      }),
    );
    resolve();
    const settled = await Promise.allSettled(runs);
    assert.equal(
      settled.map((outcome) => (outcome.status === "fulfilled" ? outcome.value : "refused")),
      [0, 1, 2, 3, 4, "refused", "refused"],
    );
  });

  test("organizations take turns however many users they have, and so do the users of each organization", async () => {
    const queue = new FairQueue({ places: 1, waitingLimit: 100 });
    const started: string[] = [];
    const run = (organization: string, user: string, name: string) =>
      queue.run({ organization, user }, undefined, async () => {
        started.push(name);
        await new Promise((resolve) => setImmediate(resolve));
      });
    await Promise.all([
      run("x", "x", "x0"),
      ...["a1", "a2", "a3"].map((name) => run("o", "a", name)),
      ...["b1", "b2"].map((name) => run("o", "b", name)),
      run("o", "c", "c1"),
      ...["p1", "p2", "p3"].map((name) => run("p", "q", name)),
    ]);
    assert.equal(started, ["x0", "a1", "p1", "b1", "p2", "c1", "p3", "a2", "b2", "a3"]);
  });

  test("only a user without a running query can use a guest place to start a query at once", async () => {
    const queue = new FairQueue({ places: 1, guestPlaces: 1, waitingLimit: 100 });
    const started: string[] = [];
    const run = (user: string, name: string) => {
      const { promise, resolve } = Promise.withResolvers<void>();
      const answer = queue.run(tenantOf(user), undefined, async () => {
        started.push(name);
        await promise;
      });
      return async () => {
        resolve();
        await answer;
        await new Promise((next) => setImmediate(next));
      };
    };
    const ends = [run("a", "a1"), run("a", "a2"), run("b", "b1"), run("b", "b2"), run("c", "c1")];
    assert.equal(started, ["a1", "b1"]);
    await ends[2]();
    assert.equal(started, ["a1", "b1", "b2"], "b's second query, after the first one has ended");
    await ends[0]();
    assert.equal(started, ["a1", "b1", "b2", "a2"]);
    await ends[3]();
    assert.equal(started, ["a1", "b1", "b2", "a2", "c1"]);
    await ends[1]();
    await ends[4]();
    assert.is(queue.running, 0);
    assert.is(queue.waiting, 0);
  });

  test("a query beyond the limit displaces the last query of the user with the most waiting queries", async () => {
    const queue = new FairQueue({ places: 1, waitingLimit: 3 });
    const { promise, resolve } = Promise.withResolvers<void>();
    const run = (user: string, name: string) =>
      queue.run(tenantOf(user), undefined, async () => {
        await promise;
        return name;
      });
    const runs = [...["a0", "a1", "a2", "a3"].map((name) => run("a", name)), run("b", "b1")];
    resolve();
    const settled = await Promise.allSettled(runs);
    assert.equal(
      settled.map((outcome) => (outcome.status === "fulfilled" ? outcome.value : "refused")),
      ["a0", "a1", "a2", "refused", "b1"],
    );
  });

  test("a failed query frees its place for the next query", async () => {
    const queue = new FairQueue({ places: 1, waitingLimit: 10 });
    const broken = new EngineError("WORKER_FAILED", ["broken"]);
    const failed = queue.run(tenantOf("a"), undefined, () => Promise.reject(broken));
    const next = queue.run(tenantOf("a"), undefined, () => Promise.resolve(7));
    await rejects(failed, "WORKER_FAILED");
    assert.is(await next, 7);
  });

  test("closing the queue fails waiting queries with STORE_CLOSED", async () => {
    const queue = new FairQueue({ places: 1, waitingLimit: 10 });
    const { promise, resolve } = Promise.withResolvers<void>();
    const first = queue.run(tenantOf("a"), undefined, () => promise);
    const waiting = queue.run(tenantOf("b"), undefined, () => Promise.resolve());
    queue.clear();
    await rejects(waiting, "STORE_CLOSED");
    resolve();
    await first;
  });
});
