import { randomUUID } from "node:crypto";
import * as assert from "uvu/assert";
import { createCatalogMemory } from "../../../../core/catalog/index.ts";
import type { ApiError } from "../../../../core/base/errors.ts";
import {
  type Limits,
  openQuotas,
  parseLimits,
  type Quotas,
} from "../../../../core/catalog/quotas/index.ts";
import { openRecords } from "../../../../core/resources/index.ts";
import { openTestCatalog, silentLog, type TestCatalog } from "../../../support/catalog.ts";
import { suite } from "../../../support/suite.ts";

/** Creates a clock that the test controls, and the list of the work that is scheduled with this clock. */
function createClock() {
  let atMs = Date.UTC(2026, 0, 1, 10, 0, 30);
  let waiting: { readonly atMs: number; readonly run: () => void }[] = [];
  return {
    now: () => atMs,
    later(run: () => void, ms: number) {
      const entry = { atMs: atMs + ms, run };
      waiting.push(entry);
      return () => {
        waiting = waiting.filter((each) => each !== entry);
      };
    },
    pass(ms: number) {
      atMs += ms;
      const due = waiting.filter((each) => each.atMs <= atMs);
      waiting = waiting.filter((each) => each.atMs > atMs);
      for (const { run } of due) run();
    },
  };
}

const refusalOf = (promise: Promise<unknown>): Promise<ApiError> =>
  promise.then(
    () => {
      throw new Error("it must be refused");
    },
    (failure: ApiError) => failure,
  );
const turn = () => new Promise((resolve) => setImmediate(resolve));

suite("core/catalog/quotas", (test) => {
  let catalog: TestCatalog;
  let organizationId: string;
  let clock = createClock();
  let hosts: Quotas[] = [];
  test.before(async () => {
    catalog = await openTestCatalog();
  });
  test.after(() => catalog.close());
  test.beforeEach(async () => {
    clock = createClock();
    organizationId = randomUUID();
    const at = new Date(0);
    const row = { id: organizationId, name: { en: "Acme" }, created_at: at, updated_at: at };
    await catalog.knex("organization").insert(row);
  });
  test.afterEach(async () => {
    await Promise.all(hosts.map((host) => host.close()));
    hosts = [];
  });
  const openOne = (defaults: Limits = {}): Quotas => {
    const host = openQuotas({
      knex: catalog.knex,
      records: openRecords({ catalog, cipher: catalog.cipher }),
      memory: createCatalogMemory({ catalog, elapsedMs: clock.now }),
      defaults,
      log: silentLog,
      now: clock.now,
      elapsedMs: clock.now,
      later: clock.later,
    });
    hosts.push(host);
    return host;
  };
  const spendAll = async (
    spenders: readonly Quotas[],
    times: number,
    name: "pushes" | "scanned_rows" = "pushes",
    amount = 1,
  ) => {
    const settled = await Promise.allSettled(
      Array.from({ length: times }, (_, index) =>
        spenders[index % spenders.length]?.spend(organizationId, name, amount),
      ),
    );
    return settled.filter(({ status }) => status === "fulfilled").length;
  };

  test("concurrent calls on three hosts can use nearly all of a hard limit, but never exceed it", async () => {
    const limits = parseLimits("pushes=100 scanned_rows=1000");
    const three = [openOne(limits), openOne(limits), openOne(limits)];
    const taken = await spendAll(three, 400);
    assert.ok(taken <= 100 && taken >= 100 - 3 * 5, String(taken));
    const reads = await spendAll(three, 60, "scanned_rows", 70);
    assert.ok(reads * 70 <= 1000 && reads * 70 >= 1000 - 4 * 70, String(reads));
  });

  test("the error for a call beyond its quota states the limit, the usage, the reset time and what to do", async () => {
    const host = openOne(parseLimits("pushes=10"));
    assert.is(await spendAll([host], 12), 10);
    const refusal = await refusalOf(host.spend(organizationId, "pushes", 1));
    assert.is(refusal.code, "QUOTA_REACHED");
    assert.is(refusal.status, 429);
    assert.is(refusal.retryAfterS, 30);
    assert.match(refusal.message, /pushes per minute: 10 of at most 10; it resets in 30 s/);
    clock.pass(30_000);
    await host.spend(organizationId, "pushes", 1);
  });

  test("a used-up quota is refused before the work of a call, and looking at a quota counts nothing", async () => {
    const host = openOne(parseLimits("pushes=2 scanned_rows=1000"));
    const look = () => host.refuseSpent(organizationId, "pushes", 1);
    for (let count = 0; count < 3; count++) await look();
    assert.is(await spendAll([host], 3), 2);
    const refusal = await refusalOf(look());
    assert.equal([refusal.code, refusal.retryAfterS], ["QUOTA_REACHED", 30]);
    assert.is(
      (await refusalOf(host.refuseSpent(organizationId, "scanned_rows", 1001))).code,
      "QUOTA_TOO_SMALL",
    );
    clock.pass(30_000);
    await look();
  });

  test("a call that needs more than the whole limit is refused at once and not counted", async () => {
    const host = openOne(parseLimits("scanned_rows=1000"));
    const refusal = await refusalOf(host.spend(organizationId, "scanned_rows", 1001));
    assert.is(refusal.code, "QUOTA_TOO_SMALL");
    assert.is(refusal.status, 413);
    await host.spend(organizationId, "scanned_rows", 1000);
  });

  test("the usage of quotas survives a restart", async () => {
    const before = openOne(parseLimits("pushes=10"));
    await spendAll([before], 10);
    await before.close();
    assert.is(await spendAll([openOne(parseLimits("pushes=10"))], 5), 0);
  });

  test("the operator's limits take precedence over the settings on every host until the operator removes the limits", async () => {
    const [one, other] = [openOne(parseLimits("pushes=10")), openOne(parseLimits("pushes=10"))];
    assert.equal((await other.limitsOf(organizationId)).pushes, { soft: 8, hard: 10 });
    await one.set(organizationId, parseLimits("pushes=1/2 rows=5"));
    clock.pass(1_000);
    assert.equal(await other.limitsOf(organizationId), {
      pushes: { soft: 1, hard: 2 },
      rows: { soft: 4, hard: 5 },
    });
    assert.is(await spendAll([other], 5), 2);
    await one.set(organizationId, { pushes: null, rows: null });
    clock.pass(1_000);
    assert.equal(await other.limitsOf(organizationId), parseLimits("pushes=10"));
  });

  test("exceeding a soft limit causes a warning and one audit event, but refuses no call", async () => {
    const host = openOne(parseLimits("pushes=2/1000"));
    assert.is(host.warningOf(organizationId), undefined);
    assert.is(await spendAll([host], 10), 10);
    assert.match(host.warningOf(organizationId) ?? "", /^pushes \d+$/);
    await host.close();
    const events = await catalog
      .knex("auditevent")
      .where({ organization_id: organizationId })
      .select("action", "resource", "members");
    assert.equal(events, [{ action: "quota_warn", resource: "organization", members: ["pushes"] }]);
  });

  test("an organization's quota states list every limit with its usage over all hosts and its reset time", async () => {
    const limits = parseLimits("pushes=100 queries=4");
    const [one, other] = [openOne(limits), openOne(limits)];
    await spendAll([one, other], 10);
    const end = Promise.withResolvers<void>();
    const running = one.withPermit(organizationId, AbortSignal.timeout(60_000), () => end.promise);
    while (
      (await catalog.knex("quota_place").where({ organization_id: organizationId })).length === 0
    )
      await turn();
    const states = new Map(
      (await other.states(organizationId)).map((state) => [state.name, state]),
    );
    end.resolve();
    await running;
    const { used, ...pushes } = states.get("pushes") ?? { used: 0 };
    // Each host has reserved a twentieth of the limit, or two twentieths if five calls need more than one twentieth.
    assert.ok(used >= 10 && used <= 20, String(used));
    assert.equal(pushes, {
      name: "pushes",
      what: "pushes per minute",
      soft: 80,
      hard: 100,
      resets_at: "2026-01-01T10:01:00.000Z",
    });
    assert.is(states.get("queries")?.used, 1);
    assert.is(states.get("rows")?.hard, null);
  });

  /** Creates queries that run until the test ends them. */
  const createQueries = () => {
    const ends: (() => void)[] = [];
    let running = 0;
    let most = 0;
    return {
      ends,
      get running() {
        return running;
      },
      get most() {
        return most;
      },
      async run() {
        most = Math.max(most, ++running);
        const { promise, resolve } = Promise.withResolvers<void>();
        ends.push(resolve);
        await promise;
        running--;
      },
    };
  };
  const until = async (isTrue: () => boolean) => {
    while (!isTrue()) await turn();
  };

  test("the limit on concurrent queries covers two hosts together, and queries run in the order of their calls", async () => {
    const limits = parseLimits("queries=4");
    const two = [openOne(limits), openOne(limits)];
    const queries = createQueries();
    const signal = new AbortController().signal;
    const order: number[] = [];
    const all = Array.from({ length: 12 }, (_, index) =>
      two[index % 2]!.withPermit(organizationId, signal, async () => {
        order.push(index);
        await queries.run();
      }),
    );
    for (let ended = 0; ended < 12; ended++) {
      while (queries.ends.length === 0) {
        // The test's clock advances only after the catalog has had time to respond.
        for (let answer = 0; answer < 3; answer++) await catalog.knex.raw("select 1");
        clock.pass(50);
      }
      queries.ends.shift()?.();
      await turn();
    }
    await Promise.all(all);
    assert.ok(queries.most <= 4, String(queries.most));
    for (const rest of [0, 1]) {
      const own = order.filter((index) => index % 2 === rest);
      assert.equal(
        own,
        own.toSorted((one, other) => one - other),
      );
    }
  });

  test("an organization's queries do not wait for another organization that floods the host", async () => {
    const host = openOne(parseLimits("queries=2"));
    const signal = new AbortController().signal;
    const flood = createQueries();
    const settled = Promise.allSettled(
      Array.from({ length: 40 }, () => host.withPermit(organizationId, signal, () => flood.run())),
    );
    await until(() => flood.running === 2);
    let answered = 0;
    for (let question = 0; question < 10; question++)
      await host.withPermit(randomUUID(), signal, async () => void answered++);
    assert.is(answered, 10);
    assert.is(flood.running, 2);
    const draining = settled.then(() => true);
    let isDone = false;
    void draining.then(() => (isDone = true));
    while (!isDone) {
      flood.ends.shift()?.();
      await turn();
    }
  });

  test("a query waits for a permit at most ten seconds, or until its caller disconnects", async () => {
    const host = openOne(parseLimits("queries=1"));
    const queries = createQueries();
    const first = host.withPermit(organizationId, new AbortController().signal, () =>
      queries.run(),
    );
    await until(() => queries.running === 1);
    const left = new AbortController();
    const leaving = host.withPermit(organizationId, left.signal, () => queries.run());
    const late = refusalOf(
      host.withPermit(organizationId, new AbortController().signal, () => queries.run()),
    );
    await turn();
    await turn();
    left.abort(new Error("the client is gone"));
    assert.match((await refusalOf(leaving)).message, "the client is gone");
    clock.pass(10_000);
    const refusal = await late;
    assert.is(refusal.code, "QUOTA_REACHED");
    assert.is(refusal.retryAfterS, 1);
    assert.match(refusal.message, /concurrent queries: 1 of at most 1/);
    queries.ends.shift()?.();
    await first;
  });

  test("a query of an organization with a limit of zero queries is refused without waiting", async () => {
    const host = openOne(parseLimits("queries=0"));
    const refusal = await refusalOf(
      host.withPermit(organizationId, new AbortController().signal, async () => undefined),
    );
    assert.is(refusal.code, "QUOTA_TOO_SMALL");
    assert.is(refusal.retryAfterS, undefined);
    assert.match(refusal.message, /1 concurrent query, but your organization may use at most 0/);
  });

  test("the error for invalid limits names the quotas concerned", () => {
    const failureOf = (text: string) => {
      try {
        parseLimits(text);
      } catch (failure) {
        return String(failure);
      }
      throw new Error(`${text} was accepted`);
    };
    assert.match(failureOf("row=5"), /the quotas are rows, bytes, queries/);
    assert.match(failureOf("rows=-5"), /whole numbers/);
    assert.match(failureOf("rows=9/5"), /soft limit must not exceed the hard limit/);
    assert.match(failureOf("rows=5,rows=6"), /must name rows only once/);
    assert.equal(parseLimits("rows=10, queries=1/2"), {
      rows: { soft: 8, hard: 10 },
      queries: { soft: 1, hard: 2 },
    });
  });
});
