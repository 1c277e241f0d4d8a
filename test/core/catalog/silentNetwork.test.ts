import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import * as assert from "uvu/assert";
import { openHost, type Host } from "../../../core/host.ts";
import { openTestCatalog, type TestCatalog } from "../../support/catalog.ts";
import { clickhouseSuite } from "../../support/clickhouseDatabase.ts";
import {
  clickhouseUrl,
  openClickhouseStore,
  type ClickhouseStore,
} from "../../support/clickhouseStore.ts";
import { ownerKey, ownerToken } from "../../support/hostProcess.ts";
import { openProxy, type Proxy } from "../../support/openProxy.ts";
import { testOptions } from "../../support/openTestHost.ts";

const pair = { key: ownerKey, token: ownerToken };
/** The messages that the network loses: requests, responses or both. */
const directions = ["requests", "answers", true] as const;

/** A host with a proxy in front of each server that it uses. */
interface CutHost {
  readonly host: Host;
  readonly ways: Readonly<Record<"catalog" | "store", Proxy>>;
}

clickhouseSuite("core/host: a network that silently loses packets", (test) => {
  const dataDir = mkdtempSync(join(tmpdir(), "manifold-silent-"));
  let catalog: TestCatalog;
  let store: ClickhouseStore;
  const cutHosts: CutHost[] = [];
  test.before(async () => {
    catalog = await openTestCatalog();
    store = await openClickhouseStore();
    const url = new URL(catalog.databaseUrl);
    const folder = decodeURIComponent(url.host.split(":")[0] ?? "");
    for (const direction of directions) {
      const ways = {
        catalog: await openProxy({ path: `${folder}/.s.PGSQL.5432` }),
        store: await openProxy({ host: store.database.host, port: store.database.port }),
      };
      const host = await openHost({
        ...testOptions,
        ...pair,
        ...store.settings,
        clickhouseUrl: clickhouseUrl(ways.store, store.database.admin),
        dataDir: join(dataDir, String(direction)),
        databaseUrl: `postgresql://${url.username}:${url.password}@127.0.0.1:${ways.catalog.port}${url.pathname}`,
        warmUp: false,
        pluginTimeoutMs: 3_000,
      });
      cutHosts.push({ host, ways });
    }
  });
  test.after(async () => {
    for (const { host, ways } of cutHosts) {
      for (const way of Object.values(ways)) way.stall(false);
      await host.close();
      for (const way of Object.values(ways)) await way.close();
    }
    await store?.close();
    await catalog?.close();
    rmSync(dataDir, { recursive: true, force: true });
  });

  const call = async ({ host }: CutHost, resource: string, members: object) => {
    const answer = await fetch(`${host.url}/0.1.0/${resource}`, {
      method: "POST",
      headers: { "Content-Type": "application/json" },
      body: JSON.stringify({ ...pair, version: "0.1.0", ...members }),
    });
    return { status: answer.status, body: Object(await answer.json()) };
  };
  const push = (to: CutHost, request_id: string, properties: object) =>
    call(to, "data", { action: "create", request_id, properties });
  const count = (to: CutHost, id: string) => {
    const query = { measures: [{ dataset_id: id, column_id: "*", aggregation: "count" }] };
    return call(to, "data", { action: "get", find: { queries: [query] } });
  };

  for (const [part, refused] of [
    ["catalog", [503]],
    ["store", [502, 504]],
  ] as const)
    test.deep(
      `while packets between host and ${part} are lost, calls end with ${refused.join(" or ")}, and repeated pushes are stored once`,
      async () => {
        await Promise.all(
          cutHosts.map(async (cut, index) => {
            const way = cut.ways[part];
            const name = `${part}-${directions[index]}`;
            const made = await push(cut, `${name}-made`, { type: "create", data: [["first"]] });
            const id = String(made.body.rows[0].id);
            const properties = (each: string) => ({ securable_id: id, data: [[each]] });
            const names = [`${name}-amid`, `${name}-after`];
            assert.equal((await count(cut, id)).body.data, [[1]]);
            const amid = push(cut, names[0]!, properties(names[0]!));
            while ((await catalog.knex("outbox").where({ turn_of: id })).length === 0);
            way.stall(directions[index]!);
            const after = push(cut, names[1]!, properties(names[1]!));
            const response = await count(cut, id);
            assert.ok([200, ...refused].includes(response.status), JSON.stringify(response));
            for (const { status, body } of await Promise.all([amid, after]))
              assert.ok([200, 409, 503, ...refused].includes(status), JSON.stringify(body));
            way.stall(false);
            for (const each of names) {
              let answer = await push(cut, each, properties(each));
              while ([409, 502, 503, 504].includes(answer.status)) {
                await pause(50);
                answer = await push(cut, each, properties(each));
              }
              assert.is(answer.status, 200, JSON.stringify(answer.body));
            }
            const all = names.length + 1;
            assert.equal((await count(cut, id)).body.data, [[all]]);
            assert.is(
              Number((await store.database.run(`select count() from \`${id}\``)).trim()),
              all,
            );
            const record = await catalog.knex("securable").where({ id }).first("rows");
            assert.is(Number(record?.rows), all);
          }),
        );
      },
    );
});
