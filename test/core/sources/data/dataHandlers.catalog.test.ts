import * as assert from "uvu/assert";
import type { Handler, Records } from "../../../../core/base/contracts/index.ts";
import { dataHandlers, reconcileStore } from "../../../../core/sources/data/index.ts";
import { openOutbox, type Outbox } from "../../../../core/catalog/outbox/index.ts";
import { createQueries, type QueryAnswer } from "../../../../core/queries/index.ts";
import { refuseFilteredColumns, openRecords } from "../../../../core/resources/index.ts";
import type { Plugin } from "../../../../plugins/protocol/index.ts";
import { openTestCatalog, silentLog, type TestCatalog } from "../../../support/catalog.ts";
import { createPlainConnections } from "../../../support/plainConnections.ts";
import { principalOf } from "../../../support/plainHost.ts";
import { createPlainPlugin } from "../../../support/plainPlugin.ts";
import { readAnswer } from "../../../support/readAnswer.ts";
import { suite } from "../../../support/suite.ts";

type Json = Readonly<Record<string, unknown>>;

suite("core/sources/data/dataHandlers with a real catalog", (test) => {
  let catalog: TestCatalog;
  let records: Records;
  let owner = "";
  const store = createPlainPlugin();
  // Waits between reading and writing, so that overlapping writes would lose rows.
  const slow: Plugin = {
    ...store,
    async write(call) {
      await new Promise(setImmediate);
      return (await store.write?.(call)) ?? { rowCount: 0, version: "" };
    },
  };
  const connections = createPlainConnections({ store: slow, scratch: createPlainPlugin() });
  const outboxes: Outbox[] = [];
  const outboxOver = (over: Records) => {
    const outbox = openOutbox({
      knex: catalog.knex,
      records: over,
      connections,
      log: silentLog,
    });
    outboxes.push(outbox);
    return outbox;
  };
  const openHandlers = () =>
    dataHandlers({
      refuseFilteredColumns,
      log: silentLog,
      records,
      outbox: outboxOver(records),
      connections,
      queries: createQueries({ records, connections, rowFilters: async () => [] }),
    });
  const call = (handler: Handler, body: Json) =>
    handler({
      resource: "data",
      action: "create",
      body,
      principal: principalOf(owner),
      requestId: "r",
      address: undefined,
      signal: new AbortController().signal,
    });
  const push = async (handlers: { create: Handler }, properties: Json) => {
    const { rows } = (await call(handlers.create, { properties })) as {
      rows: (Json & { id: string; columns: Json[] })[];
    };
    const [dataset] = rows;
    if (!dataset) throw new Error("the push answered no dataset");
    return dataset;
  };

  test.before(async () => {
    catalog = await openTestCatalog();
    records = openRecords({ catalog, cipher: catalog.cipher });
    owner = (await records.insert("user", { email: "ada@example.org", name: "Ada" })).id;
  });
  test.after(async () => {
    for (const outbox of outboxes) await outbox.close();
    await catalog.close();
  });

  test("`create`, `append` and `replace` keep catalog records and stored rows consistent", async () => {
    const handlers = openHandlers();
    const header = ["city", "km", "day"];
    const made = await push(handlers, {
      type: "create",
      data: [["Ghent", 3, "2024-01-05"]],
      options: { header, name: { en: "Trips" } },
    });
    assert.equal(
      [made["type"], made["subtype"], made["storage"], made["rows"], made["owner_id"]],
      ["dataset", "api", "plainstore", 1, owner],
    );
    assert.equal(made["name"], { en: "Trips" });
    assert.is(made["uses_strata_experimental"], true);
    assert.equal(made["shared_storage_metadata"], {
      numeric: [made.columns[1]?.["id"]],
      hierarchy: [made.columns[0]?.["id"]],
    });
    assert.equal(
      made.columns.map((column) => [
        column["source_name"],
        column["type"],
        column["subtype"],
        column["order"],
      ]),
      [
        ["city", "hierarchy", null, 0],
        ["km", "numeric", null, 1],
        ["day", "datetime", "date", 2],
      ],
    );
    const grown = await push(handlers, {
      securable_id: made.id,
      data: [[1, 2]],
      options: { header: ["km", "new"], update_metadata: true },
    });
    assert.is(grown["rows"], 2);
    assert.is(grown.columns.length, 4);
    assert.is.not(grown["shared_storage_version"], made["shared_storage_version"]);
    const replaced = await push(handlers, {
      type: "replace",
      securable_id: made.id,
      data: [[9, "Lille"]],
      options: { header: ["km", "city"], update_metadata: true },
    });
    assert.equal(
      replaced.columns.map((column) => column["id"]),
      [made.columns[1]?.["id"], made.columns[0]?.["id"]],
    );
    const find = {
      dimensions: [{ column_id: made.columns[0]?.["id"], dataset_id: made.id }],
      measures: [{ column_id: made.columns[1]?.["id"], dataset_id: made.id }],
    };
    assert.equal(((await readAnswer(call(handlers.get, { find }))) as QueryAnswer).data, [
      [{ id: "Lille", name: { en: "Lille" } }, 9],
    ]);
  });

  test("pushes to one dataset from two hosts run one after another", async () => {
    const hosts = [openHandlers(), openHandlers()];
    const made = await push(openHandlers(), { type: "create", data: [[0]] });
    const answers = await Promise.all(
      Array.from({ length: 6 }, (_, index) =>
        push(hosts[index % 2] ?? openHandlers(), { securable_id: made.id, data: [[index + 1]] }),
      ),
    );
    assert.equal(answers.map((answer) => Number(answer["rows"])).toSorted(), [2, 3, 4, 5, 6, 7]);
    assert.is(store.rowsOf(made.id)?.length, 7);
    const [record] = await records.find("securable", { id: made.id });
    assert.is(record?.["rows"], 7);
  });

  test("a push whose transaction is rolled back leaves nothing in the store", async () => {
    const before = (
      await store.datasets({
        credentials: { properties: {} },
        signal: new AbortController().signal,
      })
    ).length;
    const broken: Records = {
      ...records,
      transaction: (run) =>
        records.transaction(async (transaction) => {
          await run(transaction);
          throw new Error("the connection broke");
        }),
    };
    const handlers = dataHandlers({
      refuseFilteredColumns,
      log: silentLog,
      records: broken,
      outbox: outboxOver(broken),
      connections,
      queries: createQueries({ records, connections, rowFilters: async () => [] }),
    });
    await push(handlers, { type: "create", data: [["a"]] }).then(
      () => assert.unreachable(),
      (failure: Error) => assert.is(failure.message, "the connection broke"),
    );
    assert.is(
      (
        await store.datasets({
          credentials: { properties: {} },
          signal: new AbortController().signal,
        })
      ).length,
      before,
    );
  });

  test("`reconcileStore` drops stored datasets that have no record", async () => {
    const orphan = "7d444840-9dc0-41d1-b245-5ffdce74fad2";
    store.fill(orphan, [{ id: "a", type: "numeric" }], [[1]]);
    await reconcileStore({ records, connections, outbox: outboxOver(records) });
    assert.not.ok(store.rowsOf(orphan));
  });

  test("an append runs the same number of SQL statements for any number of columns", async () => {
    const handlers = openHandlers();
    const statements: string[] = [];
    const listen = ({ sql }: { sql: string }) => void statements.push(sql);
    catalog.knex.on("query", listen);
    const counts: number[] = [];
    for (const width of [1, 30]) {
      const rowOf = (value: number) => Array.from({ length: width }, (_, at) => value * (at + 1));
      const { id } = await push(handlers, { type: "create", data: [rowOf(1)] });
      statements.length = 0;
      const { columns } = await push(handlers, {
        type: "append",
        securable_id: id,
        data: [rowOf(-7)],
      });
      counts.push(statements.length);
      assert.equal(
        columns.map(({ minimum, maximum }) => [minimum, maximum]),
        Array.from({ length: width }, (_, at) => [-7 * (at + 1), at + 1]),
      );
    }
    catalog.knex.off("query", listen);
    assert.is(counts[0], counts[1], statements.join("\n"));
  });
});
