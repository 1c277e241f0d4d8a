import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import * as assert from "uvu/assert";
import { openHost, type Host } from "../../../../core/host.ts";
import { openTestCatalog, type TestCatalog } from "../../../support/catalog.ts";
import { needsClickhouse } from "../../../support/clickhouseDatabase.ts";
import {
  openClickhouseServer,
  type OpenClickhouseServer,
} from "../../../support/clickhouseServer.ts";
import { clickhouseUrl } from "../../../support/clickhouseStore.ts";
import { ownerKey, ownerToken } from "../../../support/hostProcess.ts";
import { ownerCalls } from "../../../support/ownerCalls.ts";
import { testOptions } from "../../../support/openTestHost.ts";
import { needsSmallDisk, openSmallDisk, type SmallDisk } from "../../../support/smallDisk.ts";
import { suite } from "../../../support/suite.ts";

const pair = { key: ownerKey, token: ownerToken };
const diskMb = 96;

suite(
  "core/host: the disk of the ClickHouse store is full",
  (test) => {
    const dataDir = mkdtempSync(join(tmpdir(), "manifold-full-"));
    let catalog: TestCatalog;
    let disk: SmallDisk;
    let server: OpenClickhouseServer;
    let host: Host;
    test.before(async () => {
      catalog = await openTestCatalog();
      disk = await openSmallDisk(diskMb);
      server = await openClickhouseServer({ folder: disk.folder });
      host = await openHost({
        ...testOptions,
        ...pair,
        dataDir,
        databaseUrl: catalog.databaseUrl,
        warmUp: false,
        store: "clickhouse",
        clickhouseUrl: clickhouseUrl(server, server.admin),
        clickhouseDatabase: "full",
      });
    });
    test.after(async () => {
      await host?.close();
      await server?.close();
      await disk?.close();
      await catalog?.close();
      rmSync(dataDir, { recursive: true, force: true });
    });

    const { push, pushUntilTaken, count } = ownerCalls(() => host.url);
    const rowsOf = (first: number) => Array.from({ length: 500 }, (_, row) => [first + row]);

    test.deep(
      "if the store's disk is full, pushes fail with an error that says what to do, and stored rows stay readable",
      async () => {
        const made = await push("made", { type: "create", data: rowsOf(0) });
        const id = String(made.body.rows[0].id);
        await disk.fill();
        const pushes = {
          append: { securable_id: id, data: rowsOf(1_000) },
          create: { type: "create", data: rowsOf(2_000), options: { name: { en: "late" } } },
        };
        for (const [name, properties] of Object.entries(pushes)) {
          const { status, body } = await push(name, properties);
          assert.is(status, 502, JSON.stringify(body));
          assert.is(body.type.code, "PLUGIN_SOURCE_FAILED");
          assert.match(
            body.message,
            "its disk is full; free some space there, then send the call again",
          );
          assert.match(body.message, `127.0.0.1:${server.port}`);
        }
        assert.is(await count(id), 500);
        const replace = { type: "replace", securable_id: id, data: rowsOf(3_000) };
        assert.is((await push("replace", replace)).status, 502);
        assert.is(await count(id), 500, "a refused replace keeps the previous rows");
        await disk.free();
        for (const [name, properties] of Object.entries(pushes)) {
          const answer = await pushUntilTaken(name, properties);
          assert.equal((await push(name, properties)).body, answer.body);
        }
        assert.is(await count(id), 1_000);
        const named = await catalog.knex("securable").whereRaw("name ->> 'en' = 'late'");
        assert.equal(
          named.map(({ rows }) => Number(rows)),
          [500],
        );
      },
    );
  },
  needsClickhouse.missing === undefined ? needsSmallDisk : needsClickhouse,
);
