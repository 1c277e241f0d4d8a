import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import * as assert from "uvu/assert";
import { runAuditCommand } from "../../../../core/cli/runAuditCommand.ts";
import { openTestCatalog } from "../../../support/catalog.ts";
import { startHostProcess } from "../../../support/hostProcess.ts";
import { testSecret } from "../../../support/openTestHost.ts";
import { clickhouseSuite } from "../../../support/clickhouseDatabase.ts";
import { openClickhouseStore } from "../../../support/clickhouseStore.ts";

clickhouseSuite("core/host killed while writing the audit", (test) => {
  test.deep(
    "after two hosts are killed during changes, the audit has an event for every change and a valid chain",
    async () => {
      const catalog = await openTestCatalog();
      // Hosts that share a catalog also share their store.
      const store = await openClickhouseStore();
      const folders = [1, 2].map(() => mkdtempSync(join(tmpdir(), "manifold-audit-")));
      const settings = {
        DATABASE_URL: catalog.databaseUrl,
        MANIFOLD_SECRET: testSecret,
        MANIFOLD_WARM_UP: "off",
        MANIFOLD_WORKERS: "1",
        MANIFOLD_STORE: store.settings.store,
        MANIFOLD_CLICKHOUSE_URL: store.settings.clickhouseUrl,
        MANIFOLD_CLICKHOUSE_DATABASE: store.settings.clickhouseDatabase,
      };
      try {
        for (let round = 0; round < 3; round++) {
          const hosts = [];
          for (const folder of folders) hosts.push(await startHostProcess(folder, settings));
          const before = (await catalog.knex("tag")).length;
          const outcomes = hosts.flatMap(({ client }, host) =>
            Array.from({ length: 6 }, async (_, writer) => {
              for (let count = 0; ; count++) {
                const tag = `${round} ${host} ${writer} ${count}`;
                const made = await client.create("tag", { tag }).then(
                  () => true,
                  () => false,
                );
                if (!made) return count;
              }
            }),
          );
          while ((await catalog.knex("tag")).length < before + 60);
          await Promise.all(hosts.map((host) => host.end("SIGKILL")));
          const counts = await Promise.all(outcomes);
          assert.ok(counts.every((count) => count >= 0));
          const lines: string[] = [];
          const status = await runAuditCommand(["verify"], {
            environment: settings,
            write: (line) => lines.push(line),
          });
          assert.is(status, 0, lines.join("\n"));
          const tags: readonly string[] = await catalog.knex("tag").pluck("id");
          const audited: readonly string[] = await catalog
            .knex("auditevent")
            .where({ action: "create", resource: "tag" })
            .pluck("record_id");
          assert.equal(tags.toSorted(), audited.toSorted());
        }
      } finally {
        for (const folder of folders) rmSync(folder, { recursive: true, force: true });
        await store.close();
        await catalog.close();
      }
    },
  );
});
