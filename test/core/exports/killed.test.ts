import { mkdtempSync, readdirSync, rmSync, watch } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import * as assert from "uvu/assert";
import { openTestCatalog, type TestCatalog } from "../../support/catalog.ts";
import { startHostProcess, type HostProcess } from "../../support/hostProcess.ts";
import { readLargeSheet } from "../../support/readLargeSheet.ts";
import { suite } from "../../support/suite.ts";

type Json = Readonly<Record<string, unknown>>;

const rowCount = 40_000;
const perCall = 10_000;

suite("core/exports: a host that is killed", (test) => {
  const dataDir = mkdtempSync(join(tmpdir(), "manifold-killed-"));
  const folder = join(dataDir, "exports");
  let catalog: TestCatalog | undefined;
  let host: HostProcess | undefined;
  test.after(async () => {
    await host?.end("SIGKILL");
    await catalog?.close();
    rmSync(dataDir, { recursive: true, force: true });
  });

  test.deep(
    "if a host is killed while it writes an export, the next host writes the complete file",
    async () => {
      catalog = await openTestCatalog();
      const start = (databaseUrl: string) =>
        startHostProcess(dataDir, {
          DATABASE_URL: databaseUrl,
          MANIFOLD_SECRET: "a secret for tests only, and long enough",
          MANIFOLD_WORKERS: "1",
        });
      host = await start(catalog.databaseUrl);
      const data = Array.from({ length: rowCount }, (_, row) => [`name ${row}`, row, row / 7]);
      const pushed = await host.client.create<{ rows: { id: string; columns: Json[] }[] }>("data", {
        type: "create",
        data: data.slice(0, perCall),
        options: { header: ["name", "number", "share"] },
      });
      const [made] = pushed.rows;
      for (let from = perCall; from < rowCount; from += perCall)
        await host.client.create("data", {
          type: "append",
          securable_id: made?.id,
          data: data.slice(from, from + perCall),
        });
      const [name, ...numbers] = (made?.columns ?? []).map((column) => ({
        dataset_id: made?.id,
        column_id: column["id"],
      }));
      const query = {
        dimensions: [name],
        measures: numbers,
        options: { rollup_data: false, cells: "plain" },
      };
      const find = async (by: HostProcess, id: string): Promise<Json> => {
        const { rows } = await by.client.get<{ rows: Json[] }>("export", { where: { id } });
        return rows[0] ?? {};
      };

      // A fast host may finish the export before the signal arrives. The export is then requested again.
      let killed: string | undefined;
      while (killed === undefined) {
        const writing = Promise.withResolvers<void>();
        const watcher = watch(folder, (_, file) => {
          if (file?.endsWith(".part")) writing.resolve();
        });
        const running: HostProcess = host ?? (await start(catalog.databaseUrl));
        host = running;
        const { id } = await running.client.create<{ id: string }>("export", {
          type: "xlsx-raw",
          query,
          deliver: "link",
        });
        await writing.promise;
        watcher.close();
        await running.end("SIGKILL");
        host = undefined;
        if (!readdirSync(folder).includes(id)) killed = id;
      }

      host = await start(catalog.databaseUrl);
      assert.is.not((await find(host, killed))["status"], "done");
      assert.is((await find(host, killed))["url"], null);
      // Pretends that the dead host has been silent for an hour. Otherwise, the catalog would wait half a minute.
      await catalog.knex.raw(
        "update jobs.job set heartbeat_on = now() - interval '1 hour' where state = 'active'",
      );
      let job = await find(host, killed);
      while (job["status"] !== "done" && job["status"] !== "failed") {
        await wait(200);
        job = await find(host, killed);
      }
      assert.is(job["status"], "done", String(job["failure"]));
      assert.equal(
        readdirSync(folder).filter((file) => file.startsWith(killed)),
        [killed],
      );
      const answer = await fetch(new URL(new URL(String(job["url"])).pathname, host.url));
      const bytes = Buffer.from(await answer.arrayBuffer());
      assert.is(bytes.length, job["size_bytes"]);
      const sheet = await readLargeSheet(bytes);
      const sortedBy = (rows: readonly (readonly unknown[])[]) =>
        rows.toSorted((one, other) => Number(one[1]) - Number(other[1]));
      assert.equal(sortedBy(sheet.slice(1)), data);
    },
  );
});
