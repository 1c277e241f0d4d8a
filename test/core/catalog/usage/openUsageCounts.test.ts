import { randomUUID } from "node:crypto";
import * as assert from "uvu/assert";
import { type ApiCall, nobody, type Principal } from "../../../../core/base/index.ts";
import {
  openUsageCounts,
  type UsageCounts,
  usageHandlers,
} from "../../../../core/catalog/index.ts";
import { openTestCatalog, silentLog, type TestCatalog } from "../../../support/catalog.ts";
import { suite } from "../../../support/suite.ts";

interface Answer {
  readonly count: number;
  readonly rows: readonly Readonly<Record<string, unknown>>[];
  readonly lost_count: number;
}

suite("core/catalog/usage", (test) => {
  let catalog: TestCatalog;
  let organizationId: string;
  let atMs = Date.UTC(2026, 10, 30, 23, 59);
  const now = () => atMs;
  let hosts: UsageCounts[] = [];
  const openCounts = (given: { mostPending?: number } = {}): UsageCounts => {
    const counts = openUsageCounts({
      transactions: catalog.knex,
      log: silentLog,
      now,
      collectMs: 3_600_000,
      ...given,
    });
    hosts.push(counts);
    return counts;
  };
  test.before(async () => {
    catalog = await openTestCatalog();
  });
  test.after(() => catalog.close());
  test.beforeEach(async () => {
    atMs = Date.UTC(2026, 10, 30, 23, 59);
    organizationId = randomUUID();
    const at = new Date(0);
    const row = { id: organizationId, name: { en: "Acme" }, created_at: at, updated_at: at };
    await catalog.knex("organization").insert(row);
  });
  test.afterEach(async () => {
    for (const host of hosts) await host.close();
    hosts = [];
  });
  const person = (given: Partial<Principal> = {}): Principal => ({
    authorizationId: randomUUID(),
    authorizationType: "embed",
    userId: randomUUID(),
    organizationId,
    organizationRole: "member",
    name: "",
    email: "",
    ...given,
  });
  const answer = async (find: unknown, given: Partial<Principal> = {}): Promise<Answer> => {
    const { get } = usageHandlers({
      knex: catalog.knex,
      counts: { flush: async () => void (await Promise.all(hosts.map((host) => host.flush()))) },
      now,
    });
    const principal = person({ authorizationType: "login", organizationRole: "owner", ...given });
    const call: ApiCall = {
      resource: "usage",
      action: "get",
      body: { find },
      principal,
      requestId: "",
      address: undefined,
      signal: new AbortController().signal,
    };
    return (await get(call)) as Answer;
  };
  const numbers = (viewers: number, views: number, questions = 0) => ({
    viewer_count: viewers,
    view_count: views,
    question_count: questions,
    export_count: 0,
    model_call_count: 0,
  });

  test("a person who is active at two hosts in one month is one viewer", async () => {
    const [one, other] = [openCounts(), openCounts()];
    const [ann, bob] = [person(), person()];
    const dashboardId = randomUUID();
    for (const host of [one, other]) host.note(ann, { kind: "view", dashboardId });
    other.note(bob, { kind: "question", amount: 3 });
    const { rows, count } = await answer({});
    assert.equal(rows, [{ month: "2026-11", ...numbers(2, 2, 3) }]);
    assert.is(count, 1);
    one.note(ann, { kind: "view", dashboardId: dashboardId.toUpperCase() });
    const { rows: divided } = await answer({ by: ["dashboard"] });
    assert.equal(divided, [
      { securable_id: dashboardId, ...numbers(1, 3) },
      { securable_id: null, ...numbers(1, 0, 3) },
    ]);
  });

  test("a new month in UTC starts new counts", async () => {
    const host = openCounts();
    const ann = person();
    host.note(ann, { kind: "question" });
    atMs += 60_000;
    host.note(ann, { kind: "question" });
    const { rows } = await answer({ where: { month: ["2026-11", "2026-12"] } });
    assert.equal(rows, [
      { month: "2026-12", ...numbers(1, 0, 1) },
      { month: "2026-11", ...numbers(1, 0, 1) },
    ]);
    assert.equal((await answer({ by: [], where: { month: ["2026-11", "2026-12"] } })).rows, [
      numbers(1, 0, 2),
    ]);
  });

  test("programs with keys of type api and visitors of private links are not viewers", async () => {
    const host = openCounts();
    host.note(person({ authorizationType: "api" }), { kind: "question" });
    host.note(person({ authorizationType: "share", userId: nobody }), { kind: "question" });
    assert.equal((await answer({})).rows, [{ month: "2026-11", ...numbers(0, 0, 2) }]);
  });

  test("the acts of each person are counted by dashboard and month, over all hosts", async () => {
    const [one, other] = [openCounts(), openCounts()];
    const [ann, bob] = [person({ suborganization: "north" }), person()];
    const [board, second] = [randomUUID(), randomUUID()];
    for (const host of [one, other]) host.note(ann, { kind: "view", dashboardId: board });
    await one.flush();
    one.note(ann, { kind: "view", dashboardId: board });
    one.note(ann, { kind: "view", dashboardId: second });
    one.note(ann, { kind: "question", amount: 4 });
    one.note(bob, { kind: "view", dashboardId: board });
    one.note(person({ authorizationType: "api" }), { kind: "question" });
    assert.equal((await answer({ by: ["viewer"] })).rows, [
      { viewer_id: ann.userId, ...numbers(1, 4, 4) },
      { viewer_id: bob.userId, ...numbers(1, 1) },
    ]);
    assert.equal((await answer({ by: ["viewer"], where: { securable_id: board } })).rows, [
      { viewer_id: ann.userId, ...numbers(1, 3) },
      { viewer_id: bob.userId, ...numbers(1, 1) },
    ]);
    assert.equal((await answer({ by: ["month"], where: { viewer_id: bob.userId } })).rows, [
      { month: "2026-11", ...numbers(1, 1) },
    ]);
    assert.equal((await answer({ by: ["viewer"] }, { suborganization: "north" })).rows, [
      { viewer_id: ann.userId, ...numbers(1, 4, 4) },
    ]);
    await answer({ by: ["viewer"] }, { organizationRole: "member" }).then(
      () => assert.unreachable("members see nobody's usage"),
      ({ code }: { code?: string }) => assert.is(code, "FORBIDDEN"),
    );
  });

  test("acts of the same people wait once, however long the catalog is away", async () => {
    let isAway = true;
    const { knex } = catalog;
    const transactions = new Proxy(knex, {
      get: (target, member) => {
        if (member === "transaction" && isAway) throw new Error("the catalog is away");
        return Reflect.get(target, member);
      },
    });
    const host = openUsageCounts({
      transactions,
      log: silentLog,
      now,
      collectMs: 3_600_000,
      mostPending: 4,
    });
    hosts.push(host);
    const ann = person();
    for (let index = 0; index < 10; index++) {
      host.note(ann, { kind: "question" });
      await host.flush();
    }
    isAway = false;
    const { rows, lost_count: lostCount } = await answer({ by: ["viewer"] });
    assert.equal(rows, [{ viewer_id: ann.userId, ...numbers(1, 0, 10) }]);
    assert.is(lostCount, 0);
  });

  test("owners of a suborganization see only its usage, whatever they ask for", async () => {
    const host = openCounts();
    host.note(person({ suborganization: "north" }), { kind: "question" });
    host.note(person({ suborganization: "south" }), { kind: "question" });
    host.note(person(), { kind: "question" });
    const north = { suborganization: "north" };
    const by = ["suborganization"];
    assert.equal((await answer({ by }, north)).rows, [{ ...north, ...numbers(1, 0, 1) }]);
    assert.equal((await answer({ by, where: { suborganization: "south" } }, north)).rows, []);
    assert.equal(
      (await answer({ by })).rows.map(({ suborganization }) => suborganization),
      [null, "north", "south"],
    );
    assert.equal((await answer({ by, where: { suborganization: null } })).count, 1);
    await answer({}, { organizationRole: "member" }).then(
      () => assert.unreachable("members see no usage"),
      ({ code }: { code?: string }) => assert.is(code, "FORBIDDEN"),
    );
  });

  test("a batch whose answer was lost is counted once", async () => {
    let isLost = true;
    const { knex } = catalog;
    const losing: Pick<typeof knex, "transaction"> = {
      async transaction(...given: Parameters<typeof knex.transaction>) {
        const written: unknown = await knex.transaction(...given);
        if (isLost) throw new Error("the connection broke before the answer");
        return written;
      },
    } as never;
    const transactions = new Proxy(knex, {
      get: (target, member) =>
        member === "transaction" ? losing.transaction : Reflect.get(target, member),
    });
    const warnings: unknown[] = [];
    const log = { ...silentLog, warn: (fields: unknown) => void warnings.push(fields) };
    const host = openUsageCounts({ transactions, log, now, collectMs: 3_600_000 });
    hosts.push(host);
    host.note(person(), { kind: "question", amount: 2 });
    await host.flush();
    host.note(person(), { kind: "question" });
    await host.flush();
    assert.is(warnings.length, 2);
    isLost = false;
    assert.equal((await answer({})).rows, [{ month: "2026-11", ...numbers(2, 0, 3) }]);
  });

  test("acts beyond the limit of pending counts are reported as lost", async () => {
    const host = openCounts({ mostPending: 2 });
    const ann = person();
    host.note(ann, { kind: "question" });
    host.note(ann, { kind: "question" });
    host.note(person({ suborganization: "north" }), { kind: "question", amount: 5 });
    const { rows, lost_count: lostCount } = await answer({});
    assert.equal(rows, [{ month: "2026-11", ...numbers(1, 0, 2) }]);
    assert.is(lostCount, 5);
  });

  test("usage older than 25 months is removed", async () => {
    const place = {
      organization_id: organizationId,
      integration_id: nobody,
      suborganization: "",
      securable_id: nobody,
    };
    await catalog.knex("usage_count").insert([
      { ...place, month: "2024-10", kind: "question", amount: 1 },
      { ...place, month: "2024-11", kind: "question", amount: 1 },
    ]);
    const host = openCounts();
    host.note(person(), { kind: "question" });
    const months = ["2024-10", "2024-11", "2026-11"];
    const { rows } = await answer({ where: { month: months } });
    assert.equal(
      rows.map(({ month }) => month),
      ["2026-11", "2024-11"],
    );
  });

  test("a wrong member of find is named", async () => {
    for (const [find, member] of [
      [{ by: ["week"] }, "find.by"],
      [{ where: { month: "2026-13" } }, "find.where.month"],
      [{ where: { month: null } }, "find.where.month"],
      [{ where: { securable_id: "x" } }, "find.where.securable_id"],
      [{ where: { viewer_id: null } }, "find.where.viewer_id"],
      [{ limit: 0 }, "find.limit"],
    ] as const)
      await answer(find).then(
        () => assert.unreachable(member),
        ({ message }: Error) => assert.match(message, member),
      );
  });
});
