// This file costs more than three seconds, because it opens a host for each setting of a ClickHouse store.
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import * as assert from "uvu/assert";
import { createClient, type Client } from "../../../../core/web/client/index.ts";
import { openHost, type Host, type HostOptions } from "../../../../core/host.ts";
import { openTestCatalog, type TestCatalog } from "../../../support/catalog.ts";
import { clickhouseSuite } from "../../../support/clickhouseDatabase.ts";
import { openClickhouseStore, type ClickhouseStore } from "../../../support/clickhouseStore.ts";
import { send } from "../../../support/fakeApp.ts";
import { testOptions } from "../../../support/openTestHost.ts";
import { failureOf } from "../../../support/refused.ts";

interface Pushed {
  readonly rows: readonly { readonly id: string; readonly columns: readonly { id: string }[] }[];
}
interface Answer {
  readonly data: readonly (readonly unknown[])[];
  readonly explain?: { readonly datasets: readonly { readonly plugin?: string }[] };
}

const metrics = "a-token-for-tests-alone";

clickhouseSuite("core/host with ClickHouse as its store", (test) => {
  const folders: string[] = [];
  const hosts: Host[] = [];
  let catalog: TestCatalog;
  let store: ClickhouseStore;
  let owner: Client;
  let pair = { key: "", token: "" };

  const open = async (more: HostOptions = {}): Promise<Host> => {
    const dataDir = mkdtempSync(join(tmpdir(), "manifold-clickhouse-host-"));
    folders.push(dataDir);
    const host = await openHost({
      ...testOptions,
      dataDir,
      databaseUrl: catalog.databaseUrl,
      warmUp: false,
      ...store.settings,
      ...more,
    });
    hosts.push(host);
    return host;
  };
  test.before(async () => {
    catalog = await openTestCatalog();
    store = await openClickhouseStore();
    const host = await open({ metrics });
    pair = { ...pair, ...host.madeCredentials };
    owner = createClient({ url: host.url, ...pair });
  });
  test.after(async () => {
    for (const host of hosts) await host.close();
    await store?.close();
    await catalog?.close();
    for (const folder of folders) rmSync(folder, { recursive: true, force: true });
  });

  const create = async (data: readonly (readonly unknown[])[]) => {
    const header = ["city", "km", "day"];
    const { rows } = await owner.create<Pushed>("data", {
      type: "create",
      data,
      options: { header },
    });
    const { id = "", columns = [] } = rows[0] ?? {};
    const mention = (name: string) => ({
      dataset_id: id,
      column_id: String(columns[header.indexOf(name)]?.id),
    });
    return { id, mention };
  };
  type Made = Awaited<ReturnType<typeof create>>;
  const sums = async ({ mention }: Made, client = owner): Promise<Answer> =>
    client.get<Answer>("data", {
      dimensions: [mention("city")],
      measures: [{ ...mention("km"), aggregation: { type: "sum" } }],
      order: [{ ...mention("city"), order: "asc" }],
      explain: true,
    });
  const cellsOf = ({ data }: Answer) =>
    data.map((row) =>
      row.map((cell) =>
        typeof cell === "object" ? ((cell as { id: unknown } | null)?.id ?? null) : cell,
      ),
    );
  const rows = [
    ["Ghent", 3, "2024-01-05"],
    ["Lille", 5.5, "2024-01-20"],
    ["Ghent", 4, null],
  ];

  test("pushed rows are queried in ClickHouse, and the explanation says so", async () => {
    const made = await create(rows);
    const answer = await sums(made);
    assert.equal(cellsOf(answer), [
      ["Ghent", 7],
      ["Lille", 5.5],
    ]);
    assert.match(JSON.stringify(answer.explain), /"clickhouse"/);
    assert.is((await store.database.run(`select count() from \`${made.id}\``)).trim(), "3");
  });

  // Other tests store rows that threads decode, and rows in ClickHouse.
  test.deep("rows of a large push, which threads decode, are stored in ClickHouse", async () => {
    const many = Array.from({ length: 3000 }, (_, row) => [
      `city ä${row % 7}`,
      row / 4,
      "2024-01-05",
    ]);
    const made = await create(many);
    await owner.create("data", { securable_id: made.id, data: many });
    const expected = Array.from({ length: 7 }, (_, city) => [
      `city ä${city}`,
      2 * many.reduce((sum, [, km], row) => sum + (row % 7 === city ? Number(km) : 0), 0),
    ]);
    assert.equal(cellsOf(await sums(made)), expected);
  });

  test("an append adds rows, a replace replaces all rows, and deleting the dataset drops the table", async () => {
    const made = await create(rows);
    await owner.create("data", { securable_id: made.id, data: [["Lille", 1, "2024-02-01"]] });
    assert.equal(cellsOf(await sums(made)), [
      ["Ghent", 7],
      ["Lille", 6.5],
    ]);
    await owner.create("data", {
      type: "replace",
      securable_id: made.id,
      data: [["Namur", 2, "2024-03-01"]],
    });
    assert.equal(cellsOf(await sums(made)), [["Namur", 2]]);
    await owner.delete("securable", made.id);
    const left = await store.database.run(
      `select count() from system.tables where name = '${made.id}'`,
    );
    assert.is(left.trim(), "0");
  });

  test("a second host on the same catalog and server returns the first host's rows, and drops nothing", async () => {
    const made = await create(rows);
    // The first host has not committed this push, so no record names its table yet.
    await store.database.run(
      "create table `7b1f8a52-6f0e-4c58-9d0b-0a7f3b8f4d11` (a Int8) engine = Memory",
    );
    const second = await open();
    const client = createClient({ url: second.url, ...pair });
    assert.equal(cellsOf(await sums(made, client)), [
      ["Ghent", 7],
      ["Lille", 5.5],
    ]);
    await client.create("data", { securable_id: made.id, data: [["Lille", 1, null]] });
    assert.equal(cellsOf(await sums(made, client))[1], ["Lille", 6.5]);
    const left = await store.database.run("exists table `7b1f8a52-6f0e-4c58-9d0b-0a7f3b8f4d11`");
    assert.is(left.trim(), "1");
    await store.database.run("drop table `7b1f8a52-6f0e-4c58-9d0b-0a7f3b8f4d11`");
  });

  test("queries run as a database user that can change nothing", async () => {
    const { locked } = store.database;
    const host = await open({ clickhouseReader: `${locked.name}:${locked.password}` });
    const client = createClient({ url: host.url, ...pair });
    const made = await create(rows);
    assert.is(cellsOf(await sums(made, client)).length, 2);
    const failure = await failureOf(open({ clickhouseReader: "locked:wrong" }));
    assert.match(failure.message, /rejected the user or the password/);
    assert.not.match(failure.message, /wrong|locked/);
  });

  test("a host's metrics include the threads and memory of its scratch plugin", async () => {
    const headers = { Authorization: `Bearer ${metrics}` };
    const { text } = await send(`${hosts[0]?.url}/metrics`, { method: "GET", headers });
    for (const figure of ["threads", "queued_queries", "memory_bytes"])
      assert.match(text, `manifold_store{figure="${figure}"} `);
  });

  test("if the store's server does not respond, the host does not start and the error names the server", async () => {
    const clickhouseUrl = "http://ada:canary@127.0.0.1:1";
    const failure = await failureOf(open({ clickhouseUrl }));
    assert.match(
      failure.message,
      /ClickHouse at 127\.0\.0\.1:1: the server refused the connection/,
    );
    assert.not.match(failure.message, /canary/);
  });
});
