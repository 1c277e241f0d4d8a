import { randomUUID } from "node:crypto";
import * as assert from "uvu/assert";
import { ensureOwner } from "../../../../core/identity/access/index.ts";
import { ApiError } from "../../../../core/base/errors.ts";
import { openPresence } from "../../../../core/catalog/index.ts";
import { createPushRequests } from "../../../../core/sources/data/index.ts";
import { openOutbox, type Outbox } from "../../../../core/catalog/outbox/index.ts";
import { openRecords } from "../../../../core/resources/index.ts";
import { openTestCatalog, type TestCatalog } from "../../../support/catalog.ts";
import type { Knex } from "knex";
import { createPlainConnections } from "../../../support/plainConnections.ts";
import { createPlainPlugin } from "../../../support/plainPlugin.ts";
import { refusal } from "../../../support/refused.ts";
import { suite } from "../../../support/suite.ts";
import { silentLog } from "../../../support/testServer.ts";

suite("core/catalog/outbox/takeTurn", (test) => {
  let catalog: TestCatalog;
  const closes: (() => Promise<void>)[] = [];
  test.before(async () => {
    catalog = await openTestCatalog();
  });
  test.after(async () => {
    for (const close of closes.toReversed()) await close();
    await catalog.close();
  });

  /** Opens the outbox of a host. `vanish` ends the host's session, as the server does when the host is killed. */
  const openHost = async (
    knex: Knex = catalog.transactions,
    isShared = true,
  ): Promise<Outbox & { vanish(): Promise<void> }> => {
    const presence = await openPresence({ ...catalog, log: silentLog });
    const store = createPlainPlugin();
    const outbox = openOutbox({
      knex,
      records: openRecords({ catalog, cipher: catalog.cipher }),
      connections: createPlainConnections({ store, scratch: store }),
      presence: isShared ? presence : undefined,
      log: silentLog,
    });
    closes.push(() => presence.close(), outbox.close);
    return { ...outbox, vanish: () => presence.close() };
  };
  const change = (
    host: Outbox,
    securableId: string,
    write: () => Promise<void>,
    prepare = async () => undefined,
  ): Promise<string> =>
    host.guard(
      { action: "settle", securableId },
      { prepare, write, commit: async () => "committed" },
    );
  const tasks = (securableId: string) =>
    catalog.knex("outbox").where({ securable_id: securableId });

  test("changes to one dataset run one after another on all hosts, without delaying changes to other datasets", async () => {
    const [one, other] = [await openHost(), await openHost()];
    const id = randomUUID();
    const order: string[] = [];
    const writing = Promise.withResolvers<void>();
    const held = Promise.withResolvers<void>();
    const first = change(one, id, async () => {
      order.push("one begins");
      writing.resolve();
      await held.promise;
      order.push("one ends");
    });
    await writing.promise;
    const second = change(
      other,
      id,
      async () => void order.push("the other begins"),
      async () => void order.push("the other prepares"),
    );
    assert.is(await change(other, randomUUID(), async () => undefined), "committed");
    while ((await tasks(id)).length < 2);
    held.resolve();
    assert.equal(await Promise.all([first, second]), ["committed", "committed"]);
    assert.equal(order, ["one begins", "one ends", "the other prepares", "the other begins"]);
    assert.equal(await tasks(id), []);
  });

  test("the next change to a dataset waits until a dead host's changes to it are settled", async () => {
    const [one, other] = [await openHost(), await openHost()];
    const id = randomUUID();
    const writing = Promise.withResolvers<void>();
    const held = Promise.withResolvers<void>();
    const killed = change(one, id, async () => {
      writing.resolve();
      await held.promise;
    });
    await writing.promise;
    await other.carryOut();
    assert.is((await tasks(id)).length, 1);
    await one.vanish();
    assert.is(await change(other, id, async () => undefined), "committed");
    held.resolve();
    // A host that has only lost its session is still alive. Its change is undone, and the host gets an error.
    assert.match((await refusal(killed)).message, /another host has undone it/);
    assert.equal(await tasks(id), []);
  });

  test("a change that is refused before it begins does not block the next change", async () => {
    const host = await openHost();
    const id = randomUUID();
    const refused = change(
      host,
      id,
      async () => undefined,
      async () => {
        throw new ApiError("FORBIDDEN", ["own the dataset"]);
      },
    );
    assert.match((await refusal(refused)).message, /own the dataset/);
    assert.equal(await tasks(id), []);
    assert.is(await change(host, id, async () => undefined), "committed");
  });

  /** Opens the connection pool of a host that loses the response to its nth commit. */
  const losing = (nth: number): Knex => {
    let count = 0;
    return new Proxy(catalog.transactions, {
      get(pool, member) {
        const value: unknown = Reflect.get(pool, member);
        if (member !== "transaction") return value;
        return async (run: (transaction: Knex.Transaction) => Promise<unknown>) => {
          const answer = await pool.transaction(run);
          if (++count === nth) throw new Error("the answer of the commit is lost");
          return answer;
        };
      },
    });
  };

  for (const [nth, isShared, what] of [
    [1, true, "takes the turn"],
    [2, true, "claims the push"],
    [1, false, "claims the push, on a host with its own store,"],
  ] as const)
    test(`if the response to the commit that ${what} is lost, the change is settled without waiting for a lease`, async () => {
      const [one, other] = [await openHost(losing(nth), isShared), await openHost()];
      const id = randomUUID();
      const records = openRecords({ catalog, cipher: catalog.cipher });
      await ensureOwner({ records, key: undefined, token: undefined });
      const [authorization] = await catalog.knex("authorization").select("id");
      const request = {
        authorizationId: String(authorization.id),
        requestId: `lost-${nth}-${isShared}`,
        rows: null,
      };
      const requests = createPushRequests({ knex: catalog.transactions, settle: other.carryOut });
      const named = { ...request, digest: "d" };
      const pushTo = (host: Outbox) =>
        host.guard<undefined, void, string>(
          { action: "settle", securableId: id },
          {
            prepare: async () => undefined,
            async claim(transaction) {
              await requests.claim(named, id, transaction);
              return { organizationId: randomUUID(), rowCount: 1, byteCount: 1, request };
            },
            write: async () => undefined,
            async commit(transaction) {
              await requests.keep(named, { count: 1 }, transaction);
              return "committed";
            },
          },
        );
      const lost = await pushTo(one).then(() => "it was acknowledged", String);
      assert.match(lost, "the answer of the commit is lost");
      await one.carryOut();
      assert.equal(await tasks(id), []);
      const answer = await requests.once(
        named,
        () => pushTo(other),
        async () => "recalled",
      );
      assert.is(answer, "committed");
      assert.equal(await tasks(id), []);
    });
});
