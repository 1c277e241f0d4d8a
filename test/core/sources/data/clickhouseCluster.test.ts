import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import * as assert from "uvu/assert";
import { openHost } from "../../../../core/host.ts";
import { openTestCatalog } from "../../../support/catalog.ts";
import { openClickhouseClusterStore } from "../../../support/clickhouseClusterStore.ts";
import { needsClickhouse } from "../../../support/clickhouseDatabase.ts";
import { testOptions } from "../../../support/openTestHost.ts";
import { suite } from "../../../support/suite.ts";

interface Reply {
  readonly status: number;
  readonly body: { readonly rows?: { readonly id: string }[]; readonly data?: unknown };
  readonly text: string;
}

suite(
  "core/host with a cluster of ClickHouse as its store",
  (test) => {
    test.deep(
      "a push with an id is stored once even if a shard is down for a time, and failing queries name the shard",
      async () => {
        const catalog = await openTestCatalog();
        const store = await openClickhouseClusterStore();
        const dataDir = mkdtempSync(join(tmpdir(), "manifold-cluster-host-"));
        const host = await openHost({
          ...testOptions,
          dataDir,
          databaseUrl: catalog.databaseUrl,
          warmUp: false,
          ...store.settings,
        });
        const sendQuery = async (
          action: string,
          properties: object,
          more: object = {},
        ): Promise<Reply> => {
          const response = await fetch(`${host.url}/0.1.0/data`, {
            method: "POST",
            headers: { "Content-Type": "application/json" },
            body: JSON.stringify({
              ...host.madeCredentials,
              action,
              version: "0.1.0",
              ...more,
              properties,
            }),
          });
          const text = await response.text();
          return { status: response.status, body: JSON.parse(text) as Reply["body"], text };
        };
        const [, second] = store.servers;
        try {
          const made = await sendQuery("create", { type: "create", data: [["first", 0]] });
          assert.is(made.status, 200, made.text);
          const id = String(made.body.rows?.[0]?.id);
          const push = (number: number) =>
            sendQuery(
              "create",
              { securable_id: id, data: [[`push ${number}`, number]] },
              { request_id: `push-${number}` },
            );
          for (let number = 1; number <= 6; number++) assert.is((await push(number)).status, 200);
          await second?.kill();
          const refused: Reply[] = [];
          for (let number = 7; number <= 12; number++) {
            const reply = await push(number);
            if (reply.status !== 200) refused.push(reply);
          }
          // A push counts the rows of all shards, so pushes fail or are postponed while a shard is missing.
          assert.ok(refused.length > 0);
          for (const { status, text } of refused) {
            assert.ok(status >= 500, text);
            assert.match(text, /127\.0\.0\.1:\d+/);
          }
          await second?.restart();
          for (let number = 7; number <= 12; number++) {
            let reply = await push(number);
            // The outbox settles the push before its id can be used again.
            for (let round = 0; round < 20 && reply.status !== 200; round++) {
              await wait(500);
              reply = await push(number);
            }
            assert.is(reply.status, 200, reply.text);
          }
          const counts = await store.onEach(
            "select sum(total_rows) from system.tables where database = currentDatabase() and engine = 'MergeTree'",
          );
          assert.is(
            counts.reduce((sum, count) => sum + Number(count), 0),
            13,
          );
        } finally {
          await host.close();
          await store.close();
          await catalog.close();
          rmSync(dataDir, { recursive: true, force: true });
        }
      },
    );
  },
  needsClickhouse,
);
