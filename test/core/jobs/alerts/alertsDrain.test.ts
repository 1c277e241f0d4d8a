import { once } from "node:events";
import { mkdtempSync, rmSync } from "node:fs";
import { createServer, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import * as assert from "uvu/assert";
import { openTestCatalog, type TestCatalog } from "../../../support/catalog.ts";
import { startHostProcess, type HostProcess } from "../../../support/hostProcess.ts";
import { openLegacyPlugin, type LegacyPlugin } from "../../../support/legacyPlugin.ts";
import { suite } from "../../../support/suite.ts";

const alertCount = 6;

suite("core/jobs/alerts/alertsDrain", (test) => {
  let catalog: TestCatalog;
  let plugin: LegacyPlugin;
  let dataDir: string;
  const hosts: HostProcess[] = [];
  const ids: string[] = [];
  /** Responses that the sink is holding back. */
  const held: ServerResponse[] = [];
  let isHolding = true;
  const sink = createServer((request, response) => {
    request.resume().on("end", () => {
      ids.push(String(request.headers["webhook-id"]));
      if (isHolding) held.push(response);
      else response.writeHead(204).end();
    });
  });
  test.before(async () => {
    dataDir = mkdtempSync(join(tmpdir(), "manifold-drain-"));
    catalog = await openTestCatalog();
    sink.listen(0, "127.0.0.1");
    await once(sink, "listening");
    plugin = await openLegacyPlugin({
      version: "3.0.0",
      pushdown: false,
      datasets: [
        {
          id: "trips",
          name: { en: "Trips" },
          columns: [{ id: "km", name: { en: "Km" }, type: "numeric" }],
          rows: [[3], [4]],
        },
      ],
    });
  });
  test.after(async () => {
    for (const host of hosts) await host.end("SIGKILL");
    await plugin?.close();
    sink.closeAllConnections();
    await new Promise<void>((resolve) => sink.close(() => resolve()));
    await catalog?.close();
    rmSync(dataDir, { recursive: true, force: true });
  });
  const start = async () => {
    const host = await startHostProcess(dataDir, {
      DATABASE_URL: catalog.databaseUrl,
      MANIFOLD_SECRET: "a secret for tests only, and long enough",
      MANIFOLD_EGRESS_ALLOW: "127.0.0.1",
      MANIFOLD_WORKERS: "1",
    });
    hosts.push(host);
    return host;
  };

  test.deep(
    "a host that receives SIGTERM during evaluations and deliveries stops, and the next host finishes the work",
    async () => {
      const first = await start();
      const { client } = first;
      const { knex } = catalog;
      const { slug } = await client.create<{ slug: string }>("plugin", {
        slug: "drained",
        name: { en: "Drained" },
        base_url: plugin.url,
        protocol_version: "3.0.0",
        authorize: "token",
      });
      const account = await client.create<{ id: string }>("account", {
        provider: slug,
        name: { en: "Drained" },
        token: "t",
      });
      const { data } = await client.create<{ data: { id: string; columns: { id: string }[] }[] }>(
        "dataprovider",
        { account_id: account.id, datasets: ["trips"] },
      );
      const dataset_id = String(data[0]?.id);
      const { rows: columns } = await client.get("column", { where: { securable_id: dataset_id } });
      const measure = {
        dataset_id,
        column_id: columns[0]?.["id"],
        aggregation: { type: "sum" as const },
      };
      const config = { url: `http://127.0.0.1:${(sink.address() as AddressInfo).port}/` };
      for (let index = 0; index < alertCount; index++)
        await client.create("alert", {
          name: { en: `alert ${index}` },
          // Every alert has its own query and channel, because equal queries would run only once, and a shared channel
          // would send digests.
          query: { measures: [measure], context: { index } },
          frequency: "day",
          channels: [{ type: "webhook", config }],
        });
      const slot = new Date(Math.floor(Date.now() / 60_000) * 60_000 - 3_600_000);
      const all = await knex("schedule").pluck("id");
      const [some, others] = [all.slice(0, 3), all.slice(3)];
      const due = (only: readonly string[]) =>
        knex("schedule").whereIn("id", only).update({ scheduled_at: slot });
      await due(some);
      while (held.length < some.length) await sleep(50);
      // The source delays its answers too.
      const requested: ServerResponse[] = [];
      for (let count = 0; count < others.length; count++)
        plugin.answerNext("/query", (response) => void requested.push(response));
      await due(others);
      while (requested.length === 0) await sleep(50);
      const startedAt = performance.now();
      const ended = await first.end("SIGTERM");
      hosts.splice(0);
      assert.equal(ended, { status: 0, signal: null }, first.output());
      assert.ok(performance.now() - startedAt < 60_000, "the host must stop waiting at some point");
      isHolding = false;
      for (const response of [...held, ...requested]) response.destroy();

      const second = await start();
      const isDone = async () => {
        const { rows } = await knex.raw(
          `select (select count(*) from alertevent where outcome = 'answered')::int as events,
                  (select count(*) from delivery where outcome = 'delivered')::int as delivered`,
        );
        return rows[0].events === alertCount && rows[0].delivered === alertCount;
      };
      while (!(await isDone())) {
        await knex.raw(
          `update jobs.job set start_after = now(), heartbeat_on = heartbeat_on - interval '1 minute'
            where state < 'completed'`,
        );
        await sleep(200);
      }
      const events: { alert_id: string; slot_at: Date }[] = await knex("alertevent").select(
        "alert_id",
        "slot_at",
      );
      assert.is(new Set(events.map(({ alert_id }) => alert_id)).size, alertCount);
      assert.ok(events.every(({ slot_at }) => slot_at.getTime() === slot.getTime()));
      const deliveries: { id: string; attempts: number }[] = await knex("delivery").select(
        "id",
        "attempts",
      );
      assert.equal(new Set(ids), new Set(deliveries.map(({ id }) => id)));
      assert.ok(
        deliveries.every(({ attempts }) => attempts === 1),
        "an attempt that stops with the host does not count",
      );
      assert.equal((await second.end("SIGTERM")).status, 0, second.output());
      hosts.splice(0);
    },
  );
});
