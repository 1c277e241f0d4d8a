import { readFileSync } from "node:fs";
import * as assert from "uvu/assert";
import { openStore } from "../../../../connectors/clickhouse/index.ts";
import { rowsOfBatch } from "../../../../plugins/protocol/index.ts";
import { needsClickhouse, runStatement } from "../../../support/clickhouseDatabase.ts";
import {
  openClickhousePair,
  openClickhouseServer,
  type ClickhouseUser,
  type GrantedUser,
  type OpenClickhouseServer,
} from "../../../support/clickhouseServer.ts";
import { clickhouseUrl } from "../../../support/clickhouseStore.ts";
import { suite } from "../../../support/suite.ts";

const call = { credentials: { properties: {} }, signal: new AbortController().signal };
const page = readFileSync(new URL("../../../../docs/RUNNING.md", import.meta.url), "utf8");
const columns = [{ id: "a", type: "numeric" as const }];
const rows = {
  columnIds: ["a"],
  batch: { rowCount: 2, columns: [{ type: "numeric" as const, values: Float64Array.of(1, 2) }] },
};

/** Statements in the documentation that prepare a server. */
const statements =
  /```sql not-run\n(create database[^`]+)```/
    .exec(page)?.[1]
    ?.split(";")
    .map((each) => each.trim())
    .filter(Boolean) ?? [];

/** Returns the rights of a user according to the documentation. */
function grantsOf(user: string): readonly string[] {
  const found = [...page.matchAll(/^(grant [^;]+) to (\w+);$/gm)].filter(([, , to]) => to === user);
  return found.map(([, grant = ""]) => grant);
}

const refusalOf = (server: OpenClickhouseServer, statement: string, user: ClickhouseUser) =>
  runStatement(server, statement, "default", user).then(() => "it was carried out", String);

/** Performs every kind of write, and a query, as the users that the documentation creates. */
async function useStore(servers: readonly OpenClickhouseServer[], cluster?: string): Promise<void> {
  const [first] = servers;
  assert.ok(first);
  const plugin = await openStore({
    url: servers.map((server) => clickhouseUrl(server, writer)).join(","),
    database: "manifold",
    cluster,
    reader: `${reader.name}:${reader.password}`,
    timeoutMs: 60_000,
    sizeBytes: 2 ** 26,
  });
  try {
    const id = "d";
    const write = plugin.write?.bind(plugin);
    await write?.({ ...call, write: { action: "create", id, columns } });
    await write?.({ ...call, write: { action: "append", id, rows } });
    await write?.({ ...call, write: { action: "replace", id, rows } });
    if (plugin.capabilities.update)
      await write?.({ ...call, write: { action: "update", id, rows, key: ["a"] } });
    const add = [{ id: "b", type: "hierarchy" as const }];
    await write?.({ ...call, write: { action: "append", id, rows, addColumns: add } });
    const settled = await write?.({ ...call, write: { action: "alter", id, drop: ["b"] } });
    assert.is(settled?.rowCount, 4);
    assert.is((await plugin.datasets(call))[0]?.rows, 4);
    const count = [{ column_id: "*", aggregation: "count" as const }];
    const query = { id, columns: count, filters: [], options: { pushdown: true } };
    assert.equal(rowsOfBatch(await plugin.query({ ...call, query })), [[4]]);
    const other = "e";
    await write?.({ ...call, write: { action: "create", id: other, columns, rowsFollow: true } });
    await write?.({ ...call, write: { action: "append", id: other, rows } });
    const joins = [
      {
        id: other,
        left: "a",
        right: "a",
        columns: [{ id: "b", column_id: "a", type: "numeric" as const }],
      },
    ];
    const sum = [{ column_id: "b", aggregation: "sum" as const }];
    assert.equal(
      rowsOfBatch(await plugin.query({ ...call, query: { ...query, columns: sum, joins } })),
      [[6]],
    );
    await write?.({ ...call, write: { action: "drop", id: other } });
    const statements = ["drop table manifold.d", "insert into manifold.d (a) values (1)"];
    for (const statement of [...statements, "create table manifold.e (a Int8) engine = Memory"]) {
      assert.match(await refusalOf(first, statement, reader), /ACCESS_DENIED|READONLY/);
    }
    for (const statement of [
      "create table default.e (a Int8) engine = Memory",
      "select count() from other.secret",
    ]) {
      assert.match(await refusalOf(first, statement, writer), /ACCESS_DENIED/);
    }
    await write?.({ ...call, write: { action: "drop", id } });
    assert.equal(await plugin.datasets(call), []);
  } finally {
    await plugin.close?.();
  }
}

const passwords = ["a secret <&>", "another secret"];
/** Writes the users of the documentation to a file, because the test server cannot create users by SQL. */
const users: readonly GrantedUser[] = Array.from(
  page.matchAll(/^create user (\w+) identified by '…'(?: settings (.*))?;$/gm),
  ([, name = "", settings], index) => {
    if (settings !== undefined) assert.is(settings, "readonly = 2");
    const password = passwords[index] ?? "";
    return { name, password, grants: grantsOf(name), isReader: settings !== undefined };
  },
);
const [writer, reader] = users as readonly [GrantedUser, GrantedUser];
const onCluster = [...page.matchAll(/`(grant [^`]+)`/g)].map(([, grant = ""]) => grant);

suite(
  "connectors/clickhouse/store with the documented grants",
  (test) => {
    const prepare = async (server: OpenClickhouseServer) => {
      await runStatement(server, statements[0] ?? "");
      await runStatement(server, "create database other");
      await runStatement(server, "create table other.secret (a Int8) engine = Memory");
    };
    test.deep(
      "on one server, the store's writer has only the rights that it needs, and its reader can only read",
      async () => {
        assert.equal(
          users.map(({ grants, isReader }) => [grants.length, isReader]),
          [
            [3, false],
            [1, true],
          ],
        );
        const server = await openClickhouseServer({ users });
        try {
          await prepare(server);
          // Once the test server accepts users by SQL, the documented block can run unchanged.
          const refused = await refusalOf(server, "create user u identified by 'x'", server.admin);
          assert.match(refused, "ACCESS_STORAGE_FOR_INSERTION_NOT_FOUND");
          // The test server cannot store users. A statement counts as valid if this is the only error that it causes.
          for (const statement of [
            ...statements.filter((each) => each.startsWith("grant")),
            ...onCluster.map((grant) => `${grant} to manifold`),
          ]) {
            const refusal = await refusalOf(server, statement, server.admin);
            assert.match(refusal, /because this storage is readonly|it was carried out/, statement);
          }
          await useStore([server]);
        } finally {
          await server.close();
        }
      },
    );

    test.deep(
      "on a cluster, the store's writer needs exactly the additional rights that are documented",
      async () => {
        assert.ok(onCluster.length > 0);
        const more = { ...writer, grants: [...writer.grants, ...onCluster] };
        const servers = await openClickhousePair({ users: [more, reader] });
        try {
          for (const server of servers) await prepare(server);
          await useStore(servers, "pair");
        } finally {
          for (const server of servers) await server.close();
        }
      },
    );
  },
  needsClickhouse,
);
