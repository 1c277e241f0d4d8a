import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import * as assert from "uvu/assert";
import { openStrata } from "../../../../plugins/strata/index.ts";
import { accountThrough } from "../../../support/accountThrough.ts";
import { openTestCatalog, type TestCatalog } from "../../../support/catalog.ts";
import { forwardSocket, type Forwarded } from "../../../support/forwardSocket.ts";
import { startHostProcess } from "../../../support/hostProcess.ts";
import { openPostgresDatabase, type PostgresDatabase } from "../../../support/postgresDatabase.ts";
import { createRandom, withSeed } from "../../../support/random.ts";
import { suite } from "../../../support/suite.ts";

interface Made {
  readonly data: readonly { readonly id: string }[];
}

const killCount = 4;

suite("core/sources/acceleration: a host that is killed", (test) => {
  const dataDir = mkdtempSync(join(tmpdir(), "manifold-killed-"));
  let catalog: TestCatalog;
  let database: PostgresDatabase;
  let forwarded: Forwarded;
  test.before(async () => {
    catalog = await openTestCatalog();
    database = await openPostgresDatabase();
    const { host, port } = database.server;
    forwarded = await forwardSocket(`${host}/.s.PGSQL.${port}`);
  });
  test.after(async () => {
    await forwarded?.close();
    await database?.close();
    await catalog?.close();
    rmSync(dataDir, { recursive: true, force: true });
  });

  const start = () =>
    startHostProcess(dataDir, {
      DATABASE_URL: catalog.databaseUrl,
      MANIFOLD_SECRET: "a secret for tests only, and long enough",
      MANIFOLD_WORKERS: "1",
      MANIFOLD_WARM_UP: "off",
      MANIFOLD_EGRESS_ALLOW: `127.0.0.1:${forwarded.port}`,
    });

  test.deep("killing a host during a load leaves only the previous copy in the store", async () => {
    const random = createRandom();
    await withSeed(random, async () => {
      await database.run(
        "create table trips as select n as id, 'x' || n as name from generate_series(1, 400000) n",
      );
      let host = await start();
      try {
        const account = await host.client.create<{ id: string }>(
          "account",
          accountThrough(forwarded, database),
        );
        const { data } = await host.client.create<Made>("dataprovider", {
          provider: "postgresql",
          account_id: account.id,
          tables: ["trips"],
        });
        const id = String(data[0]?.id);
        const acceleration = await host.client.create<{ id: string }>("acceleration", {});
        const resource = { role: "Acceleration", id: acceleration.id };
        await host.client.associate("securable", id, resource);
        const copyOf = async () =>
          (await host.client.get("datasetcopy", { where: { securable_id: id } })).rows[0] ?? {};
        const until = async (isThere: (copy: Readonly<Record<string, unknown>>) => boolean) => {
          while (!isThere(await copyOf())) await sleep(50);
        };
        await until(({ status }) => status === "ready");
        const [before] = await catalog.knex("datasetcopy").select("copy_id");
        await host.client.update("acceleration", acceleration.id, { rows_per_second: 100_000 });
        const building = async () =>
          (await catalog.knex("datasetcopy").first("building_id"))?.building_id;
        /** Expires the leases of killed hosts, because waiting for them would take a minute, and starts a load. */
        const load = async () => {
          const dead = await building();
          await catalog
            .knex("outbox")
            .where({ action: "drop" })
            .update({ due_at: new Date(0) });
          while (await catalog.knex("outbox").first("id")) await sleep(50);
          await host.client.associate("securable", id, resource);
          return dead;
        };
        for (let round = 0; round < killCount; round++) {
          await database.run("insert into trips values (0, 'new')");
          const dead = await load();
          for (let current = dead; current === dead; current = await building()) await sleep(20);
          await sleep(random.below(2500));
          assert.ok(await building(), "the load is under way");
          await host.end("SIGKILL");
          host = await start();
          const { data: counted, explain } = await host.client.get<{
            data: unknown;
            explain: { datasets: readonly { live: boolean }[] };
          }>("data", {
            measures: [{ dataset_id: id, column_id: "*", aggregation: { type: "count" } }],
            explain: true,
          });
          assert.equal(counted, [[400_000]]);
          assert.is(explain.datasets[0]?.live, false);
        }
        await host.client.update("acceleration", acceleration.id, { rows_per_second: null });
        await host.end("SIGKILL");
        const strata = await openStrata({
          dir: join(dataDir, "strata"),
          workers: 1,
          memoryBytes: 2 ** 28,
          warmUp: false,
        });
        const call = { credentials: { properties: {} }, signal: new AbortController().signal };
        const left = (await strata.datasets(call)).map((dataset) => dataset.id);
        await strata.close?.();
        assert.ok(left.includes(String(before.copy_id)), "the copy before the kills is there");
        // Expires the lease of the killed load. The next host then starts another load by itself.
        await catalog.knex("outbox").update({ due_at: new Date(0) });
        await catalog.knex("datasetcopy").update({ started_at: new Date(0) });
        host = await start();
        await until(
          ({ status, rows }) => status === "ready" && Number(rows) === 400_000 + killCount,
        );
        await host.end("SIGTERM");
        const reopened = await openStrata({
          dir: join(dataDir, "strata"),
          workers: 1,
          memoryBytes: 2 ** 28,
          warmUp: false,
        });
        const [after] = await catalog.knex("datasetcopy").select("copy_id");
        const ids = (await reopened.datasets(call)).map((dataset) => dataset.id);
        await reopened.close?.();
        assert.equal(ids.toSorted(), [...new Set([before.copy_id, after.copy_id])].toSorted());
      } finally {
        await host.end("SIGKILL");
      }
    });
  });
});
