import * as assert from "uvu/assert";
import { ApiError } from "../../../../core/base/index.ts";
import { createTenantLimit } from "../../../../core/queries/run/createTenantLimit.ts";
import { suite } from "../../../support/suite.ts";

const limits = { concurrency: 2, queueLength: 1, burstLength: 3, queueMs: 1_000 };
const ofUser = (user: string) => ({ organization: "o", user });

suite("core/queries/run/createTenantLimit", (test) => {
  test("a tenant runs a limited number of tasks at once and never waits for other tenants", async () => {
    const limit = createTenantLimit(limits);
    const { promise, resolve } = Promise.withResolvers<void>();
    const started: string[] = [];
    const sendQuery = (user: string, name: string) =>
      limit.run(ofUser(user), async () => {
        started.push(name);
        await promise;
        return name;
      });
    const requested = ["a1", "a2", "a3", "a4"].map((name) => sendQuery("a", name));
    requested.push(sendQuery("b", "b1"));
    await new Promise((next) => setImmediate(next));
    assert.equal(started, ["a1", "a2", "b1"]);
    resolve();
    assert.equal(await Promise.all(requested), ["a1", "a2", "a3", "a4", "b1"]);
  });

  test("a long queue of a user is refused with 503 and Retry-After, and other users are not", async () => {
    const clock = { ms: 0 };
    const limit = createTenantLimit({ ...limits, now: () => clock.ms });
    const { promise, resolve } = Promise.withResolvers<void>();
    const refusalOf = (user: string, isBackground = false): ApiError | undefined => {
      try {
        limit.admit({ ...ofUser(user), isBackground });
        return undefined;
      } catch (failure) {
        if (failure instanceof ApiError) return failure;
        throw failure;
      }
    };
    const tasks: Promise<void>[] = [];
    const send = (isBackground = false) => {
      const tenant = { ...ofUser("a"), isBackground };
      tasks.push(limit.run(tenant, () => promise));
    };

    for (let count = 0; count < 5; count++) {
      assert.is(refusalOf("a"), undefined, `${count} queries`);
      send();
      send(true);
    }
    const tooMany = refusalOf("a");
    assert.equal(
      [tooMany?.code, tooMany?.status, tooMany?.retryAfterS],
      ["HOST_BUSY", 503, 1],
      "a full queue",
    );
    assert.match(String(tooMany?.message), /5 other queries of this user/);
    assert.is(refusalOf("b"), undefined);
    assert.is(refusalOf("a", true), undefined, "scheduled work waits");

    resolve();
    await Promise.all(tasks);
    assert.is(refusalOf("a"), undefined, "an empty queue");
  });

  test("a queue whose first query has waited too long is refused earlier", async () => {
    const clock = { ms: 0 };
    const limit = createTenantLimit({ ...limits, now: () => clock.ms });
    const { promise, resolve } = Promise.withResolvers<void>();
    const tasks = Array.from({ length: 3 }, () => limit.run(ofUser("a"), () => promise));
    clock.ms = 1_000;
    limit.admit(ofUser("a"));
    clock.ms = 2_500;
    assert.throws(
      () => limit.admit(ofUser("a")),
      (failure: unknown) => failure instanceof ApiError && failure.retryAfterS === 3,
    );
    resolve();
    await Promise.all(tasks);
  });
});
