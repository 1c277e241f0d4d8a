import { setTimeout as wait } from "node:timers/promises";
import * as assert from "uvu/assert";
import { open } from "../../../connectors/clickhouse/index.ts";
import {
  needsClickhouse,
  openClickhouseDatabase,
  runStatement,
  type ClickhouseDatabase,
} from "../../support/clickhouseDatabase.ts";
import { openClickhousePair, type OpenClickhouseServer } from "../../support/clickhouseServer.ts";
import { layer } from "../../support/layer.ts";
import { openReach } from "../../support/openReach.ts";
import { failureOf } from "../../support/refused.ts";
import { suite } from "../../support/suite.ts";
import { connectorSuite, type ConnectorEngine } from "../connectorSuite.ts";
import { openClickhouseEngine } from "./openClickhouseEngine.ts";

if (layer === "deep")
  connectorSuite("connectors/clickhouse over distributed tables", openEngine, {
    ...needsClickhouse,
    tableCount: 1,
  });

interface Pair {
  readonly servers: readonly OpenClickhouseServer[];
  /** The database: its credentials for each server, and a connection to the first server. */
  readonly database: ClickhouseDatabase;
  close(): Promise<void>;
}

/** Opens a database of the same name on both servers of a cluster. */
async function openPair(): Promise<Pair> {
  const servers = await openClickhousePair();
  const close = async () => void (await Promise.all(servers.map((server) => server.close())));
  try {
    const [first, second] = servers;
    if (!first || !second) throw new Error("a pair has two servers");
    const database = await openClickhouseDatabase(first);
    await runStatement(second, `create database ${database.database}`);
    return { servers, database, close };
  } catch (failure) {
    await close();
    throw failure;
  }
}

/** Opens tables over a cluster of two shards. Both shards contain rows. */
async function openEngine(): Promise<ConnectorEngine> {
  const { servers, database, close } = await openPair();
  const engine = await openClickhouseEngine(database, servers);
  return {
    ...engine,
    async close() {
      await engine.plugin.close?.();
      await close();
    },
  };
}

suite(
  "connectors/clickhouse over a cluster",
  (test) => {
    test.deep(
      "queries of a distributed table read all rows of both shards, and fail if a shard is missing",
      async () => {
        const { servers, database, close } = await openPair();
        const plugin = await open({ reach: openReach(), timeoutMs: 60_000, sizeBytes: 2 ** 28 });
        try {
          const { database: schema, host, port, admin } = database;
          const onEach = (statement: string) =>
            Promise.all(servers.map((server) => runStatement(server, statement, schema)));
          await onEach("create table part (n UInt32) engine = MergeTree order by n");
          await onEach(
            "create view still as select toUInt32(number) as n from numbers(100000) where sleepEachRow(0.05) = 0 settings max_block_size = 1",
          );
          await database.run(
            `create table numbers as part engine = Distributed(pair, ${schema}, part, cityHash64(n))`,
          );
          await database.run(
            `create table slow as part engine = Distributed(pair, ${schema}, still)`,
          );
          await database.run(
            "insert into numbers settings distributed_foreground_insert = 1 select number from numbers(1000)",
          );
          const counts = await onEach("select count() from part");
          assert.ok(
            counts.every((count) => Number(count) > 300),
            String(counts),
          );
          const credentials = {
            host,
            key: admin.name,
            token: admin.password,
            properties: { port: String(port), scope: schema },
          };
          const call = { credentials, signal: new AbortController().signal };
          const listed = await plugin.datasets(call);
          assert.ok(listed.some(({ id }) => id === `${schema}.numbers`));
          const common = { filters: [], options: { pushdown: true } };
          const { columns } = await plugin.query({
            ...call,
            query: {
              id: `${schema}.numbers`,
              ...common,
              columns: [
                { column_id: "*", aggregation: "count" },
                { column_id: "n", aggregation: "sum" },
                { column_id: "n", aggregation: "distinctcount" },
              ],
            },
          });
          const [count, sum, distinct] = columns.map((column) =>
            column.type === "hierarchy" ? undefined : column.values[0],
          );
          assert.equal([count, sum, distinct], [1000, 499_500, 1000]);

          const running = async () =>
            (
              await onEach(
                `select count() from system.processes where query like '%${schema}%' and query not like '%system.processes%'`,
              )
            ).map(Number);
          const until = async (isReached: (counts: readonly number[]) => boolean) => {
            for (let round = 0; round < 300; round++) {
              const now = await running();
              if (isReached(now)) return;
              await wait(50);
            }
            throw new Error(`not reached: ${(await running()).join(", ")} statements run`);
          };
          const controller = new AbortController();
          const query = { id: `${schema}.slow`, ...common, columns: [{ column_id: "n" }] };
          const failure = failureOf(
            plugin.query({ credentials, signal: controller.signal, query }),
          );
          await until((found) => found.every((each) => each > 0));
          controller.abort();
          await failure;
          await until((found) => found.every((each) => each === 0));

          // Without the connector's settings, a query returns only the rows of available shards.
          await servers[1]?.kill();
          const left = Number(await database.run("select count() from numbers"));
          assert.ok(left > 300 && left < 1000, String(left));
          const counting = plugin.query({
            credentials,
            signal: AbortSignal.timeout(30_000),
            query: {
              id: `${schema}.numbers`,
              ...common,
              columns: [{ column_id: "*", aggregation: "count" }],
            },
          });
          assert.is((await failureOf(counting)).code, "PLUGIN_SOURCE_FAILED");
        } finally {
          await plugin.close?.();
          await close();
        }
      },
    );
  },
  needsClickhouse,
);
