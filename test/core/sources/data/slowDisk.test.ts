import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import * as assert from "uvu/assert";
import { openTestCatalog, type TestCatalog } from "../../../support/catalog.ts";
import { needsHeldSyncs, openHeldSyncs, type HeldSyncs } from "../../../support/heldSyncs.ts";
import { startHostProcess, type HostProcess } from "../../../support/hostProcess.ts";
import { ownerCalls } from "../../../support/ownerCalls.ts";
import { testSecret } from "../../../support/openTestHost.ts";
import { suite } from "../../../support/suite.ts";

/** Number of datasets. It is larger than the number of libuv's threads. */
const datasetCount = 6;
/** If work that needs no sync takes more than this many milliseconds, the test assumes that it waits for a sync. */
const patienceMs = 30_000;

suite(
  "core/host on a disk with slow syncs",
  (test) => {
    const dataDir = mkdtempSync(join(tmpdir(), "manifold-slow-"));
    let syncs: HeldSyncs;
    let catalog: TestCatalog;
    let host: HostProcess;
    const ids: string[] = [];
    const start = async (settings: Readonly<Record<string, string>> = {}) => {
      host = await startHostProcess(dataDir, {
        DATABASE_URL: catalog.databaseUrl,
        MANIFOLD_SECRET: testSecret,
        MANIFOLD_WARM_UP: "off",
        MANIFOLD_WORKERS: "1",
        ...syncs.environment,
        ...settings,
      });
    };
    test.before(async () => {
      syncs = openHeldSyncs();
      catalog = await openTestCatalog();
      await start();
      for (let each = 0; each < datasetCount; each++) {
        const made = await push(`made-${each}`, { type: "create", data: [["first"]] });
        ids.push(String(made.body.rows[0].id));
      }
    });
    test.after(async () => {
      syncs?.close();
      await host?.end("SIGKILL");
      await catalog?.close();
      rmSync(dataDir, { recursive: true, force: true });
    });

    const { call, push, pushUntilTaken, count } = ownerCalls(() => host.url, patienceMs);
    const append = (name: string, id: string) => push(name, { securable_id: id, data: [[name]] });
    const again = (name: string, id: string) =>
      pushUntilTaken(name, { securable_id: id, data: [[name]] });
    const statusOf = async (path: string): Promise<number> => {
      const answer = await fetch(host.url + path, { signal: AbortSignal.timeout(patienceMs) });
      await answer.arrayBuffer();
      return answer.status;
    };

    test.deep(
      "a push is acknowledged once it is on the disk, and no other request waits for a slow disk",
      async () => {
        syncs.hold();
        let acknowledgedCount = 0;
        const pushes = Promise.all(
          ids.map((id, each) =>
            append(`held-${each}`, id).then(({ status }) => {
              acknowledgedCount++;
              return status;
            }),
          ),
        );
        // Prevents an unhandled rejection if an earlier step fails.
        pushes.catch(() => undefined);
        await syncs.waiting(1);
        for (let round = 0; round < 3; round++) {
          for (const id of ids) assert.is(await count(id), 1);
          assert.is(await statusOf("/healthz"), 200);
          assert.is(await statusOf("/readyz"), 200);
          assert.is(await statusOf("/"), 200);
          assert.is((await call("securable", { action: "get" })).status, 200);
        }
        const signIn = await fetch(`${host.url}/auth/vi`, {
          method: "POST",
          headers: { "Content-Type": "application/json" },
          body: JSON.stringify({ email: "nobody@example.org", password: "a wrong password" }),
          signal: AbortSignal.timeout(patienceMs),
        });
        assert.is(signIn.status, 401);
        assert.is(acknowledgedCount, 0);
        syncs.release();
        assert.equal(
          await pushes,
          ids.map(() => 200),
        );
        for (const id of ids) assert.is(await count(id), 2);
      },
    );

    test.deep(
      "a host that receives SIGTERM while a push waits for the disk completes the push and then stops",
      async () => {
        const [id = ""] = ids;
        syncs.hold();
        const held = append("drained", id);
        await syncs.waiting(1);
        const ended = host.end("SIGTERM");
        // The host now accepts no new connections.
        while (
          await statusOf("/healthz").then(
            () => true,
            () => false,
          )
        )
          await pause(20);
        syncs.release();
        assert.is((await held).status, 200);
        assert.equal(await ended, { status: 0, signal: null }, host.output());
        await start({ MANIFOLD_PLUGIN_TIMEOUT_MS: "1500" });
        assert.is(await count(id), 3);
      },
    );

    test.deep(
      "a push that exceeds its deadline fails with 504, and is stored once when repeated",
      async () => {
        const [, id = ""] = ids;
        const before = Number(await count(id));
        syncs.hold();
        const late = await append("late", id);
        assert.is(late.status, 504, JSON.stringify(late.body));
        assert.is(late.body.type.code, "PLUGIN_TIMEOUT");
        syncs.release();
        await again("late", id);
        assert.is(await count(id), before + 1);
        const record = await catalog.knex("securable").where({ id }).first("rows");
        assert.is(Number(record?.rows), before + 1);
      },
    );

    test.deep(
      "a host stops after its grace period even if the disk is slower, and a repeated push is stored once",
      async () => {
        const [, , id = ""] = ids;
        await host.end("SIGTERM");
        await start();
        const before = Number(await count(id));
        syncs.hold();
        const held = append("cut", id).then(
          ({ status }) => status,
          () => 0,
        );
        await syncs.waiting(1);
        const ended = host.end("SIGTERM");
        assert.is(await held, 0);
        syncs.release();
        assert.equal(await ended, { status: 0, signal: null }, host.output());
        await start();
        await again("cut", id);
        assert.is(await count(id), before + 1);
      },
    );
  },
  needsHeldSyncs,
);
