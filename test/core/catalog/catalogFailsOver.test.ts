import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import * as assert from "uvu/assert";
import { createClient } from "../../../core/web/client/index.ts";
import { openHost, type Host } from "../../../core/host.ts";
import { clickhouseSuite } from "../../support/clickhouseDatabase.ts";
import { openClickhouseStore, type ClickhouseStore } from "../../support/clickhouseStore.ts";
import { ownerKey, ownerToken } from "../../support/hostProcess.ts";
import { openProxy, type Proxy } from "../../support/openProxy.ts";
import { testOptions } from "../../support/openTestHost.ts";
import { openPostgresPair, type PostgresPair } from "../../support/postgresPair.ts";
import { testPace } from "../../support/testPace.ts";

interface Pushed {
  readonly rows: readonly { readonly id: string }[];
}

const pair = { key: ownerKey, token: ownerToken };

clickhouseSuite("core/host: the catalog fails over to its standby", (test) => {
  const dataDir = mkdtempSync(join(tmpdir(), "manifold-failover-"));
  let servers: PostgresPair;
  let store: ClickhouseStore;
  let way: Proxy;
  const hosts: Host[] = [];
  const open = (name: string, port: number) =>
    openHost({
      ...testOptions,
      ...pair,
      ...store.settings,
      dataDir: join(dataDir, name),
      databaseUrl: servers.urlAt(port),
      warmUp: false,
      pace: testPace,
    });
  test.before(async () => {
    servers = await openPostgresPair();
    store = await openClickhouseStore();
    way = await openProxy(servers.primary);
    for (const name of ["one", "other"]) hosts.push(await open(name, way.port));
  });
  test.after(async () => {
    for (const host of hosts) await host.close();
    await way?.close();
    await store?.close();
    await servers?.close();
    rmSync(dataDir, { recursive: true, force: true });
  });

  const call = async (host: Host, resource: string, members: object, own: object = pair) => {
    const answer = await fetch(`${host.url}/0.1.0/${resource}`, {
      method: "POST",
      headers: { "Content-Type": "application/json" },
      body: JSON.stringify({ ...own, version: "0.1.0", ...members }),
    });
    const body = Object(await answer.json());
    return {
      status: answer.status,
      code: String(body.type?.code),
      retryAfter: answer.headers.get("Retry-After"),
      body,
    };
  };
  const countOf = (id: string) => ({
    measures: [{ dataset_id: id, column_id: "*", aggregation: "count" as const }],
  });
  const counting = (id: string) => ({ action: "get", find: { queries: [countOf(id)] } });
  const headers = ({ url }: Host) => ({
    "Content-Type": "application/json",
    "X-Manifold-Console": "1",
    "Sec-Fetch-Site": "same-origin",
    Origin: url,
  });
  const beginSession = async (host: Host): Promise<string> => {
    const body = JSON.stringify(pair);
    const own = { method: "POST", headers: headers(host), body };
    const answer = await fetch(`${host.url}/auth/session`, own);
    assert.is(answer.status, 200);
    return (answer.headers.get("Set-Cookie") ?? "").split(";")[0] ?? "";
  };
  const callInSession = async (host: Host, cookie: string): Promise<number> => {
    const answer = await fetch(`${host.url}/0.1.0/locale`, {
      method: "POST",
      headers: { ...headers(host), Cookie: cookie },
      body: JSON.stringify({ action: "get", version: "0.1.0", find: { limit: 1 } }),
    });
    await answer.text();
    return answer.status;
  };

  test.deep(
    "a host does not start if its database is a standby server, and the error says which server to name instead",
    async () => {
      const refused = await open("third", servers.standby.port).then(() => "it started", String);
      assert.match(refused, "a standby, which accepts no changes; name the primary");
    },
  );

  test.deep(
    "when a standby server replaces a killed primary, no push is lost or repeated and no answer is stale",
    async () => {
      const [one, other] = hosts as [Host, Host];
      const client = createClient({ url: one.url, ...pair });
      const { rows } = await client.create<Pushed>("data", { type: "create", data: [["first"]] });
      const id = String(rows[0]?.id);
      const cookie = await beginSession(one);
      const query = countOf(id);
      await client.create("alert", { name: { en: "alert" }, query, frequency: "day" });

      let isEnding = false;
      let named = 0;
      const acknowledged: string[] = [];
      const countAt = new Map<Host, number>(hosts.map((host) => [host, 0]));
      const refusals = new Set<string>();
      const faults: string[] = [];
      /** Returns whether a response states that the call can be repeated later. */
      const isLater = ({ status, code, retryAfter, body }: Awaited<ReturnType<typeof call>>) => {
        refusals.add(`${status} ${code}`);
        if (status === 503 && retryAfter !== null) return true;
        if (status === 409 && code === "CONFLICT") return true;
        faults.push(`${status} ${JSON.stringify(body)}`);
        return false;
      };
      const writer = async () => {
        while (!isEnding) {
          const request_id = `push-${named++}`;
          for (let turn = named; ; turn++) {
            const host = hosts[turn % 2]!;
            const properties = { securable_id: id, data: [[request_id]] };
            const answer = await call(host, "data", { action: "create", request_id, properties });
            if (answer.status === 200) {
              acknowledged.push(request_id);
              countAt.set(host, countAt.get(host)! + 1);
              break;
            }
            if (!isLater(answer)) return;
            await pause(50);
          }
        }
      };
      const reader = async (host: Host) => {
        while (!isEnding) {
          const least = 1 + countAt.get(host)!;
          const answer = await call(host, "data", counting(id));
          const found = Number(answer.body.data?.[0]?.[0]);
          if (answer.status === 200 && found < least)
            faults.push(`a host that has acknowledged ${least} rows returns ${found}`);
          if (answer.status !== 200 && !isLater(answer)) return;
          await pause(20);
        }
      };
      const load = [writer(), writer(), writer(), writer(), reader(one), reader(other)];
      const until = async (holds: () => boolean | Promise<boolean>) => {
        while (!(await holds())) {
          assert.equal(faults, []);
          await pause(20);
        }
      };
      await until(() => acknowledged.length >= 20);
      await servers.primary.kill();
      await until(() => refusals.has("503 CATALOG_UNAVAILABLE"));

      // From here on, the catalog's address leads to the standby, which has not been promoted yet.
      way.leadTo(servers.standby);
      for (const host of hosts)
        for (const [resource, members] of [
          ["data", { action: "create", properties: { securable_id: id, data: [["never"]] } }],
          ["securable", { action: "update", id, properties: { name: { en: "never" } } }],
          ["securable", { action: "get", find: { limit: 1 } }],
          ["data", counting(id)],
        ] as const) {
          const { status, code, retryAfter } = await call(host, resource, members);
          assert.equal([status, code], [503, "CATALOG_UNAVAILABLE"], resource);
          assert.match(String(retryAfter), /^\d+$/);
        }
      const before = acknowledged.length;
      await servers.standby.run("select pg_promote()");
      await until(() => acknowledged.length >= before + 20);
      isEnding = true;
      await Promise.all(load);
      assert.equal(faults, []);

      const hierarchy = `select id from "column" where securable_id = '${id}' and type = 'hierarchy'`;
      const [[column]] = (await servers.standby.run(hierarchy)) as [[string]];
      const text = await store.database.run(`select \`${column}\` from \`${id}\` format TSV`);
      const stored = text.split("\n").filter(Boolean);
      assert.equal(stored.toSorted(), [...acknowledged, "first"].toSorted());
      const count = acknowledged.length + 1;
      const recorded = await servers.standby.run(
        `select rows::int from securable where id = '${id}'`,
      );
      assert.equal(recorded, [[count]]);
      assert.is(await callInSession(one, cookie), 200);
      for (const host of hosts)
        assert.equal((await call(host, "data", counting(id))).body.data, [[count]]);

      const slot = "date_trunc('minute', now()) - interval '1 hour'";
      await servers.standby.run(`update schedule set scheduled_at = ${slot}`);
      const events = "select outcome from alertevent";
      await until(async () => (await servers.standby.run(events)).length > 0);
      assert.equal(await servers.standby.run(events), [["answered"]]);
    },
  );
});
