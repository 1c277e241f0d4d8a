import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import * as assert from "uvu/assert";
import { createClient } from "../../../core/web/client/index.ts";
import { openHost, type Host } from "../../../core/host.ts";
import { openTestCatalog, type TestCatalog } from "../../support/catalog.ts";
import { clickhouseSuite } from "../../support/clickhouseDatabase.ts";
import { openClickhouseStore, type ClickhouseStore } from "../../support/clickhouseStore.ts";
import { openProxy, type Proxy } from "../../support/openProxy.ts";
import { ownerKey, ownerToken } from "../../support/hostProcess.ts";
import { testOptions } from "../../support/openTestHost.ts";

interface Pushed {
  readonly rows: readonly { readonly id: string; readonly rows: number }[];
}
const minuteMs = 60_000;
const pair = { key: ownerKey, token: ownerToken };

clickhouseSuite("core/host: two hosts, where one loses its network to the catalog", (test) => {
  const dataDir = mkdtempSync(join(tmpdir(), "manifold-cut-"));
  let catalog: TestCatalog;
  let store: ClickhouseStore;
  let way: Proxy;
  let cut: Host;
  let whole: Host;

  test.before(async () => {
    catalog = await openTestCatalog();
    store = await openClickhouseStore();
    const url = new URL(catalog.databaseUrl);
    const folder = decodeURIComponent(url.host.split(":")[0] ?? "");
    way = await openProxy({ path: `${folder}/.s.PGSQL.5432` });
    const through = `postgresql://${url.username}:${url.password}@127.0.0.1:${way.port}${url.pathname}`;
    const open = (name: string, databaseUrl: string, skewMs: number) =>
      openHost({
        ...testOptions,
        dataDir: join(dataDir, name),
        databaseUrl,
        warmUp: false,
        failuresPerMinute: 5,
        ...pair,
        ...store.settings,
        now: () => Date.now() + skewMs,
        tokenNow: () => Date.now() + skewMs,
      });
    cut = await open("cut", through, 0);
    whole = await open("whole", catalog.databaseUrl, minuteMs);
  });
  test.after(async () => {
    way?.stall(false);
    await cut?.close();
    await whole?.close();
    await way?.close();
    await store?.close();
    await catalog?.close();
    rmSync(dataDir, { recursive: true, force: true });
  });

  const call = async (host: Host, resource: string, members: object, own: object = pair) => {
    const answer = await fetch(`${host.url}/0.1.0/${resource}`, {
      method: "POST",
      headers: { "Content-Type": "application/json" },
      body: JSON.stringify({ ...own, ...members, version: "0.1.0" }),
    });
    return { status: answer.status, body: Object(await answer.json()) };
  };
  const push = (host: Host, request_id: string, properties: object) =>
    call(host, "data", { action: "create", request_id, properties });
  const create = async (): Promise<string> => {
    const client = createClient({ url: whole.url, ...pair });
    const { rows } = await client.create<Pushed>("data", { type: "create", data: [["first"]] });
    return rows[0]?.id ?? "";
  };
  const rowsOf = async (id: string) =>
    Number((await store.database.run(`select count() from \`${id}\``)).trim());
  const recordOf = async (id: string) =>
    Number((await catalog.knex("securable").where({ id }).first("rows"))?.rows);

  // `outbox/openOutbox.test.ts` tests repeated pushes in the quick layer.
  test.deep(
    "a push that fails while connections are cut is stored once when it is repeated on another host",
    async () => {
      const id = await create();
      const ids = Array.from({ length: 12 }, (_, index) => `cut-${index}`);
      const sending = ids.map((each) => push(cut, each, { securable_id: id, data: [[each]] }));
      while ((await catalog.knex("outbox").where({ turn_of: id })).length === 0);
      way.cut();
      const answers = await Promise.all(sending);
      for (const { status } of answers) assert.ok([200, 409, 503].includes(status), String(status));
      for (const each of ids) {
        let answer = await push(whole, each, { securable_id: id, data: [[each]] });
        while (answer.status === 503)
          answer = await push(whole, each, { securable_id: id, data: [[each]] });
        assert.is(answer.status, 200, JSON.stringify(answer.body));
      }
      assert.is(await rowsOf(id), ids.length + 1);
      assert.is(await recordOf(id), ids.length + 1);
      assert.is((await push(cut, "after", { securable_id: id, data: [["after"]] })).status, 200);
    },
  );

  test("while one host is cut off from the catalog, the other accepts pushes and queries", async () => {
    const id = await create();
    way.stall(true);
    try {
      assert.is((await fetch(`${cut.url}/healthz`)).status, 200);
      for (const each of ["a", "b"])
        assert.is(
          (await push(whole, `stalled-${each}`, { securable_id: id, data: [[each]] })).status,
          200,
        );
      const find = {
        queries: [{ measures: [{ dataset_id: id, column_id: "*", aggregation: "count" }] }],
      };
      assert.equal((await call(whole, "data", { action: "get", find })).body.data, [[3]]);
    } finally {
      way.stall(false);
    }
    assert.is((await push(cut, "let-through", { securable_id: id, data: [["c"]] })).status, 200);
    assert.is(await recordOf(id), 4);
  });

  test("a session that is ended on one host also ends on a host whose clock is a minute ahead", async () => {
    const own = ({ url }: Host) => ({
      "Content-Type": "application/json",
      "X-Manifold-Console": "1",
      "Sec-Fetch-Site": "same-origin",
      Origin: url,
    });
    // Over plain http, the name of the cookie contains the port, because browsers share cookies between the ports of a
    // host.
    const nameAt = ({ url }: Host, cookie: string) => cookie.replace(/\d+(?==)/, new URL(url).port);
    const begin = async (host: Host) => {
      const answer = await fetch(`${host.url}/auth/session`, {
        method: "POST",
        headers: own(host),
        body: JSON.stringify(pair),
      });
      assert.is(answer.status, 200);
      return (answer.headers.get("Set-Cookie") ?? "").split(";")[0] ?? "";
    };
    const statusAt = async (host: Host, cookie: string) => {
      const answer = await fetch(`${host.url}/0.1.0/locale`, {
        method: "POST",
        headers: { ...own(host), Cookie: nameAt(host, cookie) },
        body: JSON.stringify({ action: "get", version: "0.1.0", find: { limit: 1 } }),
      });
      await answer.text();
      return answer.status;
    };
    for (const [one, other] of [
      [cut, whole],
      [whole, cut],
    ] as const) {
      const cookie = await begin(one);
      assert.is(await statusAt(one, cookie), 200);
      assert.is(await statusAt(other, cookie), 200);
      const ended = await fetch(`${one.url}/auth/session`, {
        method: "DELETE",
        headers: { ...own(one), cookie },
      });
      assert.ok(ended.ok, String(ended.status));
      assert.is(await statusAt(one, cookie), 401);
      // A host caches a session for at most a second.
      while ((await statusAt(other, cookie)) !== 401) await pause(50);
    }
  });

  test("quotas per minute follow the catalog's clock even if hosts' clocks differ", async () => {
    const states = async (host: Host) => {
      const { body } = await call(host, "organization", { action: "explain" });
      return (body.quotas as { name: string; resets_at: string | null }[]).filter(
        ({ resets_at: end }) => end !== null,
      );
    };
    for (;;) {
      const [before, one, other, after] = [
        await states(cut),
        await states(cut),
        await states(whole),
        await states(cut),
      ];
      if (JSON.stringify(before) !== JSON.stringify(after)) continue;
      assert.equal(one, before);
      assert.equal(
        other.map(({ resets_at: end }) => end),
        one.map(({ resets_at: end }) => end),
      );
      break;
    }
  });
});
