import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import * as assert from "uvu/assert";
import { createClient, type Client } from "../../../../core/web/client/index.ts";
import { openHost, type Host } from "../../../../core/host.ts";
import { runMoveCommand } from "../../../../core/operating/move/index.ts";
import { openTestCatalog, type TestCatalog } from "../../../support/catalog.ts";
import { clickhouseSuite } from "../../../support/clickhouseDatabase.ts";
import { openClickhouseStore, type ClickhouseStore } from "../../../support/clickhouseStore.ts";
import { testOptions } from "../../../support/openTestHost.ts";

interface Pushed {
  readonly rows: readonly { readonly id: string; readonly columns: readonly { id: string }[] }[];
}
interface Answer {
  readonly data: readonly (readonly unknown[])[];
  readonly explain: unknown;
}

clickhouseSuite("core/host: moves between its stores", (test) => {
  const dataDir = mkdtempSync(join(tmpdir(), "manifold-move-"));
  let catalog: TestCatalog;
  let store: ClickhouseStore;
  let host: Host | undefined;
  let client: Client;
  let pair = { key: "", token: "" };

  const open = async (slug: "strata" | "clickhouse") => {
    await host?.close();
    host = await openHost({
      ...testOptions,
      dataDir,
      databaseUrl: catalog.databaseUrl,
      warmUp: false,
      ...store.settings,
      store: slug,
    });
    pair = { ...pair, ...host.madeCredentials };
    client = createClient({ url: host.url, ...pair });
  };
  test.before(async () => {
    catalog = await openTestCatalog();
    store = await openClickhouseStore();
    await open("strata");
  });
  test.after(async () => {
    await host?.close();
    await store?.close();
    await catalog?.close();
    rmSync(dataDir, { recursive: true, force: true });
  });

  const move = async (to: string) => {
    const lines: string[] = [];
    const environment = { MANIFOLD_DATA_DIR: dataDir };
    const status = await runMoveCommand(["--to", to], {
      environment,
      write: (line) => void lines.push(line),
    });
    return { status, text: lines.join("\n") };
  };
  const header = ["n", "word", "day"];
  const rows = Array.from({ length: 300 }, (_, index) => [
    index % 7 === 0 ? null : index / 4,
    index % 5 === 0 ? null : `word ${index % 11} é\u0000`,
    index % 3 === 0 ? null : new Date(Date.UTC(1000 + index, 1, 3, 4, 5, 6, 7)).toISOString(),
  ]);
  const push = async (data: readonly (readonly unknown[])[]) => {
    const { rows: made } = await client.create<Pushed>("data", {
      type: "create",
      data,
      options: { header },
    });
    const { id = "", columns = [] } = made[0] ?? {};
    return { id, columnIds: columns.map((column) => column.id) };
  };
  type Made = Awaited<ReturnType<typeof push>>;
  const contentsOf = async ({ id, columnIds }: Made) => {
    const answer = await client.get<Answer>("data", {
      dimensions: columnIds.map((columnId) => ({ dataset_id: id, column_id: columnId })),
      options: { rollup_data: false },
      explain: true,
    });
    const plan = JSON.stringify(answer.explain);
    const where = ["strata", "clickhouse"].find((slug) => plan.includes(`"${slug}"`));
    return { where, cells: answer.data.map((row) => JSON.stringify(row)).toSorted() };
  };

  test("datasets can be queried in their store, moved one by one with identical cells, and moved back", async () => {
    const [large, small] = [await push(rows), await push([[1, "a", null]])];
    await client.update("data", large.id, {
      data: [
        [0.25, "changed", null],
        [-1, "inserted", null],
      ],
      options: { header, key: ["n"] },
    });
    const before = await contentsOf(large);
    assert.is(before.where, "strata");
    const rowCount = rows.length + 1;
    assert.is(before.cells.length, rowCount);

    const wrong = await move("clickhouse").catch(String);
    assert.match(
      String(wrong),
      /the host writes to strata; restart it with MANIFOLD_STORE=clickhouse/,
    );

    assert.match(
      String(await move("elastic").catch(String)),
      /the stores are strata and clickhouse/,
    );
    const other = {
      ...testOptions,
      dataDir: mkdtempSync(join(tmpdir(), "manifold-move-other-")),
      databaseUrl: catalog.databaseUrl,
      warmUp: false,
      ...store.settings,
    };
    const inFolder = new RegExp(`folder of another host \\(.*${dataDir}\\).*manifold move --to`);
    assert.match(String(await openHost(other).catch(String)), inFolder);

    await open("clickhouse");
    assert.match(String(await openHost(other).catch(String)), inFolder);
    assert.equal(await contentsOf(large), before);
    await client.create("data", { securable_id: small.id, data: [[2, "b", null]] });
    assert.is((await contentsOf(small)).where, "strata", "a push goes to the store of its dataset");

    const { status, text } = await move("clickhouse");
    assert.is(status, 0, text);
    assert.match(text, /1 of 2 .* copying (301|2) rows from strata/);
    assert.match(text, /moved and compared: 301 rows/);
    assert.match(text, /all datasets are in clickhouse/);
    assert.equal(await contentsOf(large), { ...before, where: "clickhouse" });
    await client.create("data", { securable_id: small.id, data: [[3, "c", null]] });
    const moved = await contentsOf(small);
    assert.is(moved.where, "clickhouse");
    assert.is(moved.cells.length, 3);
    const again = await move("clickhouse");
    assert.equal(again, { status: 0, text: "all datasets are in clickhouse" });
    const second = await openHost(other);
    await second.close();
    assert.match(
      String(await openHost({ ...other, store: "strata" }).catch(String)),
      /1 hosts with a shared store run on this catalog.* stop them before you start/,
    );
    rmSync(other.dataDir, { recursive: true, force: true });

    await open("strata");
    assert.is((await contentsOf(large)).where, "clickhouse");
    const back = await move("strata");
    assert.is(back.status, 0, back.text);
    assert.equal(await contentsOf(large), before);
    assert.equal(await contentsOf(small), { ...moved, where: "strata" });
  });

  test.deep(
    "the old rows of a moved dataset are dropped after the last query that uses them",
    async () => {
      await open("strata");
      await push(rows.slice(0, 5));
      await open("clickhouse");
      assert.is((await move("clickhouse")).status, 0);
      const made = await push(rows.slice(0, 20));
      const due = await catalog.knex("outbox").where({ action: "drop" }).select("due_at");
      assert.ok(due.length > 0);
      assert.ok(
        due.every(({ due_at: at }) => at > new Date()),
        "queries may still read it",
      );
      await catalog.knex("outbox").update({ due_at: new Date(0) });
      await open("clickhouse");
      assert.equal(await catalog.knex("outbox").select("id"), []);
      assert.is((await contentsOf(made)).cells.length, 20);
      const datasets = await client.get<{ rows: { id: string }[] }>("securable", {
        where: { type: "dataset" },
      });
      const call = { credentials: { properties: {} }, signal: new AbortController().signal };
      const stored = (await store.plugin.datasets(call)).map(({ id }) => id);
      assert.equal(stored.toSorted(), datasets.rows.map(({ id }) => id).toSorted());
    },
  );
});
