import { setTimeout as sleep } from "node:timers/promises";
import * as assert from "uvu/assert";
import { rowsOfBatch, type Plugin } from "../../../../plugins/protocol/index.ts";
import { openClickhouseClusterStore } from "../../../support/clickhouseClusterStore.ts";
import { needsClickhouse, runStatement } from "../../../support/clickhouseDatabase.ts";
import {
  openClickhousePair,
  type OpenClickhouseServer,
} from "../../../support/clickhouseServer.ts";
import { rounds } from "../../../support/layer.ts";
import { createRandom, withSeed } from "../../../support/random.ts";
import { failureOf } from "../../../support/refused.ts";
import { suite } from "../../../support/suite.ts";

const call = { credentials: { properties: {} }, signal: new AbortController().signal };
const size = 30_000;
const killCount = rounds({ quick: 1, deep: 6, soak: 200 });

suite(
  "connectors/clickhouse/store with failing shards",
  (test) => {
    let servers: readonly OpenClickhouseServer[];
    test.before(async () => {
      servers = await openClickhousePair();
    });
    test.after(async () => void (await Promise.all(servers.map((server) => server.close()))));

    const create = async (plugin: Plugin) => {
      const columns = [{ id: "push", type: "numeric" as const }];
      await plugin.write?.({ ...call, write: { action: "create", id: "t", columns } });
    };
    const change = (plugin: Plugin, action: "append" | "replace", push: number) => {
      const values = new Float64Array(size).fill(push);
      const batch = { rowCount: size, columns: [{ type: "numeric" as const, values }] };
      const rows = { columnIds: ["push"], batch };
      return plugin.write?.({ ...call, write: { action, id: "t", rows } });
    };
    const counts = async (plugin: Plugin) => {
      const query = {
        id: "t",
        columns: [{ column_id: "push" }, { column_id: "*", aggregation: "count" as const }],
        filters: [],
        order: [{ column: 0, order: "asc" as const }],
        options: { pushdown: true },
      };
      return rowsOfBatch(await plugin.query({ ...call, query }));
    };
    const isDown =
      /shutting down|refused the connection|Connection refused|connection was lost|NETWORK_ERROR|EOF/i;

    test.deep(
      "while a shard is down, queries and pushes that need it fail with an error that names the shard",
      async () => {
        const store = await openClickhouseClusterStore({ servers });
        const [, second] = servers;
        try {
          const { plugin } = store;
          await create(plugin);
          for (let push = 0; push < 8; push++) await change(plugin, "append", push);
          const before = await counts(plugin);
          assert.equal(
            before,
            Array.from({ length: 8 }, (_, push) => [push, size]),
          );
          const spread = await store.onEach(
            "select sum(total_rows) from system.tables where database = currentDatabase() and engine = 'MergeTree'",
          );
          assert.ok(
            spread.every((count) => Number(count) > 0),
            String(spread),
          );
          await second?.kill();
          const question = await failureOf(counts(plugin));
          assert.is(question.code, "PLUGIN_SOURCE_FAILED");
          assert.match(question.message, /127\.0\.0\.1:\d+/);
          assert.match(question.message, isDown);
          const replace = await failureOf(Promise.resolve(change(plugin, "replace", 99)));
          assert.match(replace.message, `127.0.0.1:${second?.port}: the server refused`);
          const sick = await failureOf(Promise.resolve(plugin.health?.(call)));
          assert.match(sick.message, `127.0.0.1:${second?.port}: the server refused`);
          await second?.restart();
          assert.equal(await counts(plugin), before);
          await change(plugin, "replace", 100);
          assert.equal(await counts(plugin), [[100, size]]);
        } finally {
          await second?.restart();
          await store.close();
        }
      },
    );

    test.deep(
      "repeating an insert through the distributed table stores its rows once, on the chosen shard",
      async () => {
        const store = await openClickhouseClusterStore({ servers });
        try {
          await create(store.plugin);
          const insert = `insert into t settings insert_shard_id = 2, distributed_foreground_insert = 1,
            insert_deduplicate = 1, insert_deduplication_token = 'one' select 1, 'one' from numbers(5)`;
          const [first] = servers;
          assert.ok(first);
          for (let time = 0; time < 2; time++) await runStatement(first, insert, store.database);
          const rows = await store.onEach(
            "select sum(total_rows) from system.tables where database = currentDatabase() and engine = 'MergeTree'",
          );
          assert.equal(rows.map(Number), [0, 5]);
          assert.equal(await counts(store.plugin), [[1, 5]]);
        } finally {
          await store.close();
        }
      },
    );

    for (const action of ["append", "replace"] as const)
      test.deep(
        `after a shard is killed during each ${action}, acknowledged rows are stored once and completely`,
        async () => {
          const random = createRandom();
          await withSeed(random, async () => {
            const store = await openClickhouseClusterStore({ servers });
            const { plugin } = store;
            await create(plugin);
            await change(plugin, "append", -1);
            let isDone = false;
            const acknowledged: number[] = [-1];
            const sent: number[] = [-1];
            const pushing = (async () => {
              for (let push = 0; !isDone; push++) {
                sent.push(push);
                const failure = await change(plugin, action, push)?.then(
                  () => undefined,
                  (thrown: unknown) => thrown,
                );
                if (!failure) acknowledged.push(push);
                else if (!isDown.test(String(failure))) throw failure;
              }
            })();
            const seen: (readonly (readonly unknown[])[])[] = [];
            const reading = (async () => {
              while (!isDone)
                seen.push(
                  await counts(plugin).catch((failure: unknown) => {
                    if (!isDown.test(String(failure))) throw failure;
                    return [];
                  }),
                );
            })();
            try {
              for (let kill = 0; kill < killCount; kill++) {
                const before = acknowledged.length;
                // A server that has crashed because of a bug is restarted, too.
                for (let round = 0; acknowledged.length < before + 2 && round < 400; round++) {
                  const isOver = await Promise.race([pushing.then(() => true), sleep(5)]);
                  if (isOver === true) break;
                }
                await sleep(random.below(80));
                await servers[kill % 2]?.restart();
              }
            } finally {
              isDone = true;
            }
            for (const server of servers) await server.restart();
            await pushing;
            await reading;
            const found = await counts(plugin);
            await store.close();
            // Readers see only complete pushes, all of the same version.
            const parts = seen.flat().filter(([, count]) => count !== size);
            assert.equal(parts, []);
            if (action === "replace") {
              assert.ok(seen.every((rows) => rows.length <= 1));
              assert.is(found.length, 1);
              const last = acknowledged.at(-1) ?? 0;
              assert.ok(
                Number(found[0]?.[0]) >= last,
                "the last acknowledged version, or one sent later",
              );
            } else {
              const there = found.map(([push]) => Number(push));
              assert.equal(
                acknowledged.filter((push) => !there.includes(push)),
                [],
              );
              assert.ok(there.every((push) => sent.includes(push)));
              assert.ok(found.every(([, count]) => count === size));
            }
            assert.ok(acknowledged.length > killCount);
          });
        },
      );
  },
  needsClickhouse,
);
