import { randomUUID } from "node:crypto";
import { setTimeout as sleep } from "node:timers/promises";
import * as assert from "uvu/assert";
import { migrations } from "../../core/catalog/migrations/index.ts";
import { createClient, type Client } from "../../core/web/client/index.ts";
import { declarations } from "../../core/resources/index.ts";
import { columnOf } from "../core/operating/transfer/fillTenant.ts";
import { clickhouseSuite } from "../support/clickhouseDatabase.ts";
import type { HostProcess } from "../support/hostProcess.ts";
import { openHttpSink, type HttpSink } from "../support/httpSink.ts";
import type { LegacyPlugin } from "../support/legacyPlugin.ts";
import {
  answersOf,
  fillKeptTenant,
  openKeptPlugin,
  questionsOf,
  type KeptTenant,
} from "./keptTenant.ts";
import { openTwoVersions, type TwoVersions } from "./openTwoVersions.ts";
import { underLoad } from "./underLoad.ts";

type Json = Readonly<Record<string, unknown>>;
type Made = { readonly id: string };
type Pair = Made & { readonly token: string };

const password = "a password of two versions";
/** Members that differ between two equal calls, because other calls were made in between. */
const moving = ["last_used_at", "updated_at", "access_count", "usage"];

clickhouseSuite("kept: hosts of two versions on one catalog", (test) => {
  let world: TwoVersions;
  let sink: HttpSink;
  let plugin: LegacyPlugin;
  let former: HostProcess;
  let current: HostProcess;
  let tenant: KeptTenant;
  const as = (host: HostProcess, { id, token }: Pair): Client =>
    createClient({ url: host.url, key: id, token, retryCount: 0 });
  const both = () => [former, current] as const;

  test.before(async () => {
    world = await openTwoVersions();
    sink = await openHttpSink();
    plugin = await openKeptPlugin();
    former = await world.start("former");
    tenant = await fillKeptTenant(former.client, plugin);
  });
  test.after(async () => {
    await world?.close();
    await plugin?.close();
    await sink?.close();
  });

  const total = () => questionsOf(tenant).total;
  const perCity = () => questionsOf(tenant).perCity;
  const questions = () => questionsOf(tenant).all;
  const answers = (client: Client) => answersOf(client, questions());
  const kilometres = async (client: Client): Promise<number> => {
    const answer = await client.get<{ data: readonly (readonly number[])[] }>("data", {
      measures: [total()],
    });
    return Number(answer.data[0]?.[0]);
  };
  /** A row in the current order of the columns. The city is the last column. */
  const rowOf = (city: string, km: number) => [km, "2024-02-01", "2024-02-01T10:00:00Z", city];
  const push = (client: Client, km: number, city = "Ghent") =>
    client.create("data", {
      securable_id: tenant.trips.id,
      data: [rowOf(city, km)],
    });
  /**
   * Waits until the records in a host's memory match the catalog. This takes up to 750 ms, or longer on a busy machine.
   */
  const soon = async (isSo: () => Promise<boolean>): Promise<boolean> => {
    for (let tries = 0; tries < 100; tries++) {
      if (await isSo()) return true;
      await sleep(50);
    }
    return false;
  };
  const isEnded = (call: () => Promise<unknown>) => () =>
    call().then(
      () => false,
      (failure: { readonly status?: number }) => {
        assert.is(failure.status, 401);
        return true;
      },
    );
  const recordsOf = async (client: Client, resource: string): Promise<readonly Json[]> => {
    const { rows } = await client.get(resource, { order: [["id", "asc"]] });
    return rows.map((row) =>
      Object.fromEntries(Object.entries(row).filter(([name]) => !moving.includes(name))),
    );
  };

  test.deep(
    "hosts of the old and the current version run on one catalog and list the same records",
    async () => {
      const alone = await answers(former.client);
      const records = await recordsOf(former.client, "securable");
      assert.ok(alone.length === questions().length && records.length > 3);
      // The kept package may know every migration of this tree, so the test adds a later migration.
      await world.catalog.knex.raw(`
        alter table securable add column colour text not null default 'none';
        create table colour (id uuid primary key);`);
      await world.catalog.knex("migration").insert({ name: "900Later", expands: true });
      current = await world.start("current");
      const steps: readonly string[] = await world.catalog.knex("migration").pluck("name");
      for (const { name } of migrations) assert.ok(steps.includes(name), name);
      assert.ok(steps.includes("900Later"));
      for (const { client } of both()) assert.equal(await answers(client), alone);
      const text = await (await fetch(`${former.url}/openapi.json`)).text();
      const described: { readonly paths: object } = JSON.parse(text);
      const listed = [...declarations.keys()].filter((name) =>
        [`/0.1.0/${name}?get`, `/0.1.0/${name}/get`].some((path) => path in described.paths),
      );
      assert.ok(listed.length > 25);
      for (const resource of listed) {
        const expected = await recordsOf(former.client, resource);
        const found = await recordsOf(current.client, resource);
        const common = found.map((row, at) =>
          Object.fromEntries(Object.entries(row).filter(([name]) => name in (expected[at] ?? {}))),
        );
        assert.equal(common, expected, resource);
      }
    },
  );

  test.deep(
    "a push to a host of either version appears in the next answers of both hosts",
    async () => {
      for (const [at, from] of [former, current, former, current].entries()) {
        const before = await Promise.all(both().map(({ client }) => kilometres(client)));
        assert.is(before[0], before[1]);
        await push(from.client, 10 + at);
        for (const { client } of both()) {
          let found = await kilometres(client);
          // Hosts update cached answers within a second.
          for (let tries = 0; tries < 40 && found !== before[0]! + 10 + at; tries++) {
            await sleep(50);
            found = await kilometres(client);
          }
          assert.is(found, before[0]! + 10 + at);
        }
      }
      const made = await former.client.create<{ rows: readonly Made[] }>("data", {
        type: "create",
        data: [["a", 1]],
      });
      const id = String(made.rows[0]?.id);
      await current.client.create("data", { type: "replace", securable_id: id, data: [["b", 2]] });
      const { rows } = await former.client.get<{ rows: readonly Json[] }>("securable", {
        where: { id },
      });
      assert.is(rows[0]?.["rows"], 1);
      await former.client.delete("securable", id);
      assert.is((await current.client.get("securable", { where: { id } })).rows.length, 0);
    },
  );

  test.deep(
    "a push that is sent to hosts of both versions with one request id is stored once",
    async () => {
      for (const [first, second] of [both(), both().toReversed()]) {
        const before = await kilometres(current.client);
        const members = {
          request_id: randomUUID(),
          properties: {
            securable_id: tenant.trips.id,
            data: [rowOf("Lille", 100)],
          },
        };
        const [one, other] = [
          await first!.client.call("data", "create", members),
          await second!.client.call("data", "create", members),
        ];
        assert.equal(other, one);
        assert.is(await kilometres(current.client), before + 100);
      }
    },
  );

  test.deep(
    "hosts of two versions share people, tokens and rights, and removing any of them takes effect on both hosts",
    async () => {
      for (const [one, other] of [both(), both().toReversed()] as [HostProcess, HostProcess][]) {
        const email = `person-${randomUUID()}@example.org`;
        const user = await one.client.create<Made>("user", { email, password });
        const signIn = async ({ url }: HostProcess) => {
          const answer = await fetch(`${url}/auth/vi`, {
            method: "POST",
            headers: { "Content-Type": "application/json" },
            body: JSON.stringify({ email, password }),
          });
          assert.is(answer.status, 200, `sign-in at ${url}`);
          const body: { readonly user: { readonly token: Pair } } = JSON.parse(await answer.text());
          return body.user.token;
        };
        const session = await signIn(other);
        const me = { where: { id: "me" } };
        for (const host of [one, other])
          assert.is((await as(host, session).get("user", me)).rows[0]?.["id"], user.id);
        await as(one, session).delete("authorization", session.id);
        for (const host of [one, other])
          assert.ok(await soon(isEnded(() => as(host, session).get("user", me))), host.url);

        const embed = await one.client.create<Pair>("authorization", {
          type: "embed",
          username: email,
          access: { datasets: [{ id: tenant.trips.id, rights: "read" }] },
          filters: [
            {
              clause: "where",
              origin: "global",
              securable_id: tenant.trips.id,
              column_id: columnOf(tenant.trips, "city"),
              expression: "? = ?",
              value: "Ghent",
            },
          ],
        });
        for (const host of [one, other]) {
          const { data } = await as(host, embed).get<{ data: readonly Json[] }>("data", perCity());
          assert.is(data.length, 1, "its filter holds");
        }
        await other.client.delete("authorization", embed.id);
        for (const host of [one, other])
          assert.ok(await soon(isEnded(() => as(host, embed).get("data", perCity()))), host.url);
        await other.client.delete("user", user.id);
      }
    },
  );

  test.deep("hosts of each version can use secrets that the other version sealed", async () => {
    for (const [one, other] of [both(), both().toReversed()] as [HostProcess, HostProcess][]) {
      const account = await one.client.create<Made>("account", {
        provider: "sales",
        name: "Sealed",
        identifier: "ada",
        token: `token-${randomUUID()}`,
      });
      const { data } = await other.client.get<{ data: readonly Made[] }>("dataprovider", {
        provider: "sales",
        account_id: account.id,
      });
      assert.is(data.length, 1);
      await other.client.delete("account", account.id);
    }
  });

  const makeAlerts = async (host: HostProcess, count: number): Promise<readonly string[]> => {
    const ids: string[] = [];
    for (let index = 0; index < count; index++) {
      const { id } = await host.client.create<Made>("alert", {
        name: { en: `alert ${index}` },
        query: { measures: [total()], context: { index } },
        frequency: "day",
        channels: [{ type: "webhook", config: { url: `${sink.url}/${randomUUID()}` } }],
      });
      ids.push(id);
    }
    return ids;
  };
  /** Makes alerts due at the same instant. Waits until every alert has been evaluated for that instant. */
  const makeDue = async (ids: readonly string[], isDone: () => Promise<boolean>) => {
    await world.catalog
      .knex("schedule")
      .whereIn("id", world.catalog.knex("alert").whereIn("id", ids).select("schedule_id"))
      .update({ scheduled_at: new Date(Math.floor(Date.now() / 60_000) * 60_000 - 3_600_000) });
    while (!(await isDone())) await sleep(200);
  };
  const eventsOf = (ids: readonly string[]): Promise<readonly { alert_id: string }[]> =>
    world.catalog.knex("alertevent").whereIn("alert_id", ids).select("alert_id");

  test.deep(
    "each alert is evaluated once and notifies once, whichever version's host evaluates the alert",
    async () => {
      const ids = [...(await makeAlerts(former, 6)), ...(await makeAlerts(current, 6))];
      const sentBefore = sink.calls.length;
      await makeDue(ids, async () => (await eventsOf(ids)).length >= ids.length);
      while (sink.calls.length < sentBefore + ids.length) await sleep(100);
      // Waits until each host has polled for due schedules again.
      await sleep(6_000);
      const events = await eventsOf(ids);
      assert.equal(events.map(({ alert_id }) => alert_id).toSorted(), ids.toSorted());
      const sent = sink.calls.slice(sentBefore).map(({ headers }) => headers["webhook-id"]);
      assert.is(new Set(sent).size, ids.length);
      assert.is(sent.length, ids.length);
    },
  );

  test.deep(
    "stopping a host of the old version with SIGTERM under load neither loses nor repeats a call",
    async () => {
      const before = await kilometres(current.client);
      const hosts = new Set<HostProcess>(both());
      const drained = (async () => {
        await sleep(1_500);
        hosts.delete(former);
        const ended = await world.stop(former);
        await sleep(500);
        return ended;
      })();
      const { failures, pushed, queried } = await underLoad(
        {
          hosts,
          query: (client) => client.get("data", perCity()),
          push: (client) => push(client, 1),
        },
        drained,
      );
      assert.equal(failures, []);
      assert.ok(queried > 10 && pushed > 3, `${queried} queries, ${pushed} pushes`);
      assert.equal(await drained, { status: 0, signal: null });
      assert.is(await kilometres(current.client), before + pushed);
    },
  );

  test.deep(
    "a host of the old version can restart next to a host of the current version, and continues when that host stops",
    async () => {
      const expected = await answers(current.client);
      const sealed = await current.client.create<Made>("account", {
        provider: "sales",
        name: "Sealed by the current version",
        identifier: "ada",
        token: "a token",
      });
      former = await world.start("former");
      assert.equal(await answers(former.client), expected);
      await push(former.client, 5);
      const km = await kilometres(current.client);
      assert.equal(await world.stop(current), { status: 0, signal: null });
      assert.is(await kilometres(former.client), km);
      await push(former.client, 5);
      assert.is(await kilometres(former.client), km + 5);
      const { data } = await former.client.get<{ data: readonly Made[] }>("dataprovider", {
        provider: "sales",
        account_id: sealed.id,
      });
      assert.is(data.length, 1);
      const ids = await makeAlerts(former, 2);
      await makeDue(ids, async () => (await eventsOf(ids)).length >= ids.length);
      current = await world.start("current");
      assert.equal(await answers(current.client), await answers(former.client));
    },
  );

  test.deep(
    "after a contracting migration, a host of the old version does not start and changes nothing",
    async () => {
      await world.stop(former);
      await world.catalog.knex("migration").insert({ name: "900Contracts", expands: false });
      const failure = await world.start("former").then(
        () => new Error("it started"),
        (thrown: Error) => thrown,
      );
      assert.match(failure.message, /the catalog was changed by a newer version .*900Contracts/);
      assert.match(failure.message, /start that version or a later one/);
      await world.catalog.knex("migration").where({ name: "900Contracts" }).delete();
      assert.ok((await kilometres(current.client)) > 0);
    },
  );
});
