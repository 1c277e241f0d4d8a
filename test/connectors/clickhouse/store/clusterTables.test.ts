import * as assert from "uvu/assert";
import { createClusterTables } from "../../../../connectors/clickhouse/store/clusterTables.ts";
import type { StoreServer } from "../../../../connectors/clickhouse/store/storeServer.ts";
import { layer } from "../../../support/layer.ts";
import { suite } from "../../../support/suite.ts";
import { needsClickhouse } from "../../../support/clickhouseDatabase.ts";
import { openClickhouseClusterStore } from "../../../support/clickhouseClusterStore.ts";
import { storeSuite } from "../../../plugins/storeSuite.ts";

// The quick layer tests the same promises on a single server.
if (layer === "deep")
  storeSuite(
    "connectors/clickhouse/store on two shards",
    () => openClickhouseClusterStore(),
    needsClickhouse,
  );

/** Creates a cluster whose entry server records its statements. `comment` is the version of each dataset. */
function notedCluster(isReplicated: boolean) {
  const statements: string[] = [];
  const entry: StoreServer = {
    source: "the entry",
    run: async (statement) => void statements.push(statement),
    rows: async () => [["first"]],
    insert: async (statement, _, __, { settings }) => {
      const { insert_deduplication_token: token, ...rest } = settings ?? {};
      statements.push(`${statement} ${JSON.stringify(rest)} ${String(token)}`);
    },
    close: async () => undefined,
  };
  const cluster = {
    name: "main",
    entry,
    shards: [],
    shardCount: 2,
    isReplicated,
    onCluster: " on cluster `main`",
  };
  const tables = createClusterTables({ cluster, database: "m", timeoutMs: 1, wait: noWait });
  return { tables, statements };
}

const noWait = async () => undefined;
const options = { signal: new AbortController().signal, wait: noWait };
const writeId = "00000001-rest";
const columns = [{ id: "a", type: "numeric" as const }];
const rows = {
  columnIds: ["a"],
  batch: { rowCount: 2, columns: [{ type: "numeric" as const, values: Float64Array.of(1, 2) }] },
};

suite("connectors/clickhouse/store/clusterTables with Keeper", (test) => {
  test("with Keeper, changes to tables apply to the whole cluster, and tables are replicated if shards have several servers", async () => {
    for (const isReplicated of [false, true]) {
      const { tables, statements } = notedCluster(isReplicated);
      await tables.create({ id: "d", columns, writeId }, options);
      await tables.alter("d", { add: [{ id: "b", type: "datetime" }], drop: ["a"] }, options);
      await tables.replace({ id: "d", columns, rows, writeId }, options);
      await tables.drop("d", options);
      const ofTables = statements.filter((statement) => !statement.startsWith("insert"));
      assert.equal(
        ofTables.filter((statement) => !statement.includes(" on cluster `main`")),
        [],
      );
      const [local = "", whole = ""] = ofTables;
      assert.match(
        local,
        /^create table if not exists `m`\.`d~00000001-rest` on cluster `main` \(/,
      );
      assert.match(local, isReplicated ? /engine = ReplicatedMergeTree / : /engine = MergeTree /);
      assert.is(/ replicated_deduplication_window = 1000/.test(local), isReplicated);
      assert.match(whole, /engine = Distributed\('main', 'm', 'd~00000001-rest'\)\ncomment '0000/);
      const exchange = "exchange tables `m`.`d` and `m`.`d~00000001-rest~` on cluster `main`";
      assert.ok(ofTables.includes(exchange));
      assert.ok(
        ofTables.indexOf("alter table `m`.`d` on cluster `main` drop column if exists `a`") <
          ofTables.indexOf(
            "alter table `m`.`d~first` on cluster `main` drop index if exists `a range`, drop column if exists `a`, add column if not exists `b` Nullable(DateTime64(3, 'UTC')), add index if not exists `b range` `b` type minmax granularity 1",
          ),
        "a query never names a column that a shard does not have",
      );
    }
  });

  test("an insert is acknowledged once a quorum of one shard's servers has stored it", async () => {
    for (const [isReplicated, quorum] of [
      [false, ""],
      [true, ',"insert_quorum":"auto","insert_quorum_parallel":0'],
    ] as const) {
      const { tables, statements } = notedCluster(isReplicated);
      await tables.insert({ id: "d", rows, writeId }, options);
      assert.equal(statements, [
        `insert into \`m\`.\`d\` (\`a\`, \`manifold write\`) format Native {"insert_shard_id":1,"distributed_foreground_insert":1${quorum},"insert_deduplicate":1} ${writeId}`,
      ]);
    }
  });

  test("a table of replaced rows is dropped only after the deadline of every query that may read the table", async () => {
    const { tables, statements } = notedCluster(false);
    await tables.replace({ id: "d", columns, rows, writeId }, options);
    await new Promise(setImmediate);
    assert.is(statements.at(-1), "drop table if exists `m`.`d~first` on cluster `main`");
  });
});
