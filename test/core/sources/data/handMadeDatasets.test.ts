import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import Luzmo from "@luzmo/nodejs-sdk";
import * as assert from "uvu/assert";
import { createClient, type Client, type Query } from "../../../../core/web/client/index.ts";
import { openHost, type Host } from "../../../../core/host.ts";
import { refused } from "../../../support/refused.ts";
import { openTestCatalog, type TestCatalog } from "../../../support/catalog.ts";
import { testOptions } from "../../../support/openTestHost.ts";
import { suite } from "../../../support/suite.ts";

type Json = Record<string, unknown>;
type Made = Json & { readonly id: string };
type Pushed = { readonly rows: readonly (Made & { readonly columns: readonly Made[] })[] };
interface Answer {
  readonly data: readonly (readonly unknown[])[];
}

const cellOf = (cell: unknown) =>
  typeof cell === "object" && cell !== null ? (cell as Json)["id"] : cell;

suite("core/host with datasets created by hand", (test) => {
  const dataDir = mkdtempSync(join(tmpdir(), "manifold-hand-"));
  let catalog: TestCatalog;
  let host: Host;
  let client: Client;
  let published: InstanceType<typeof Luzmo>;
  let kept: { readonly datasetId: string; readonly columnIds: readonly string[] };

  const open = async (credentials?: { key: string; token: string }) => {
    host = await openHost({
      ...testOptions,
      dataDir,
      databaseUrl: catalog.databaseUrl,
    });
    const { key, token } = credentials ?? host.madeCredentials ?? { key: "", token: "" };
    client = createClient({ url: host.url, key, token });
    const { hostname, port } = new URL(host.url);
    published = new Luzmo({ api_key: key, api_token: token, host: `http://${hostname}`, port });
    return { key, token };
  };
  const createDataset = () =>
    client.create<Made>("securable", { type: "dataset", name: { en: "Burritos" } });
  const createColumn = (datasetId: string, properties: Json) =>
    client.create<Made>("column", properties, [{ role: "Securable", id: datasetId }]);
  const rowsOf = async (datasetId: string, columnIds: readonly string[]) => {
    const dimensions = columnIds.map((id) => ({ dataset_id: datasetId, column_id: id }));
    const find = { dimensions, options: { rollup_data: false } };
    return (await client.get<Answer>("data", find)).data.map((row) => row.map(cellOf));
  };
  const push = (datasetId: string, data: unknown, more: Json = {}) =>
    client.create<Pushed>("data", { securable_id: datasetId, data, ...more });
  const recordOf = async (id: string) =>
    (await client.get<{ rows: Made[] }>("securable", { where: { id } })).rows[0];

  let credentials: { key: string; token: string };
  test.before(async () => {
    catalog = await openTestCatalog();
    credentials = await open();
  });
  test.after(async () => {
    await host.close();
    await catalog.close();
    rmSync(dataDir, { recursive: true, force: true });
  });

  test("a column that a client created parses pushed dates by its informat", async () => {
    const { id } = await createDataset();
    const forms = ["DD-MM-YYYY", "MM-DD-YYYY HH:mm:ss.SSS ZZ", "X", "x"];
    const columns: Made[] = [];
    for (const [order, informat] of forms.entries())
      columns.push(await createColumn(id, { type: "datetime", informat, order }));
    await push(id, [["05-01-2024", "01-05-2024 02:00 +02:00", 1_704_412_800, "1704412800000"]]);
    const day = "2024-01-05T00:00:00.000Z";
    const columnIds = columns.map((column) => column.id);
    assert.equal(await rowsOf(id, columnIds), [[day, day, day, day]]);
    const refusal = await refused(
      createColumn(id, { type: "datetime", informat: "soon", order: 4 }),
    );
    assert.match(String(refusal["message"]), "DD-MM-YYYY");
  });

  test("the published client's sample can create a dataset and its columns concurrently, and then push rows", async () => {
    const dataset = await published.create("securable", {
      type: "dataset",
      name: { nl: "Burrito-statistieken", en: "Burrito statistics" },
    });
    assert.equal(
      [dataset.subtype, dataset.storage, dataset.rows],
      ["api", "strata", 0],
      "a Terraform provider expects the subtype",
    );
    const columns = [
      { type: "hierarchy", format: "", informat: "hierarchy", order: 0, name: { en: "Type" } },
      { type: "datetime", format: "%d-%m-%Y", order: 1, name: { en: "Savings date" } },
      { type: "numeric", format: ",.4f", informat: "numeric", order: 2, name: { en: "Weight" } },
    ];
    const made = await Promise.all(
      columns.map((column) =>
        published.create("column", { ...column, colors: ["#fff"] }, [
          // The samples use this spelling, although the client's types do not include it.
          { role: "Securable" as "Securables", id: dataset.id },
        ]),
      ),
    );
    const pushed = await published.create("data", {
      securable_id: dataset.id,
      data: [
        ["spicy", "2024-01-03T00:00:00.000Z", 21],
        ["sweet", "2024-01-04", 158.5],
        [null, null, null],
      ],
    });
    assert.is(pushed.rows[0].rows, 3);
    const columnIds = made.map(({ id }) => id);
    assert.equal(await rowsOf(dataset.id, columnIds), [
      ["spicy", "2024-01-03T00:00:00.000Z", 21],
      ["sweet", "2024-01-04T00:00:00.000Z", 158.5],
      [null, null, null],
    ]);
    assert.is((await recordOf(dataset.id))?.["rows"], 3);
    kept = { datasetId: dataset.id, columnIds };
  });

  test("associations in the create call have the same effect as separate calls, whatever the spelling of the role", async () => {
    for (const role of ["Securable", "Securables", "securable", "securables", "Dataset"]) {
      const dataset = await createDataset();
      const column = await client.create<Made>("column", { order: 0, type: "numeric" }, [
        { role, id: dataset.id },
      ]);
      await push(dataset.id, [[1], [2]]);
      assert.equal(await rowsOf(dataset.id, [column.id]), [[1], [2]], role);
    }
  });

  test("columns may be created in any order, and their order member says which pushed cell they receive", async () => {
    const last = await client.create<Made>("column", { order: 20, type: "numeric" });
    const dataset = await createDataset();
    const first = await createColumn(dataset.id, { order: 3, type: "hierarchy" });
    await client.associate("securable", dataset.id, { role: "Columns", id: last.id });
    await push(dataset.id, [["a", 1]]);
    const between = await createColumn(dataset.id, { order: 10, type: "numeric" });
    await push(dataset.id, [["b", 2, 3]], { type: "append" });
    const columnIds = [first.id, between.id, last.id];
    assert.equal(await rowsOf(dataset.id, columnIds), [
      ["a", null, 1],
      ["b", 2, 3],
    ]);
  });

  test("columns with equal order receive cells in the sequence of their creation", async () => {
    const dataset = await createDataset();
    const columnIds: string[] = [];
    for (let index = 0; index < 4; index++)
      columnIds.push((await createColumn(dataset.id, { order: 0, type: "numeric" })).id);
    await push(dataset.id, [[1, 2, 3, 4]]);
    assert.equal(await rowsOf(dataset.id, columnIds), [[1, 2, 3, 4]]);
  });

  test("a header can name columns by source name or by name in any language", async () => {
    const dataset = await createDataset();
    const city = await createColumn(dataset.id, {
      order: 0,
      type: "hierarchy",
      name: { en: "City", nl: "Stad" },
    });
    const km = await createColumn(dataset.id, { order: 1, type: "numeric", source_name: "km" });
    await push(dataset.id, [[3, "Ghent"]], { options: { header: ["km", "Stad"] } });
    await push(dataset.id, [["Lille", 4]], { options: { header: ["City", "km"] } });
    assert.equal(await rowsOf(dataset.id, [city.id, km.id]), [
      ["Ghent", 3],
      ["Lille", 4],
    ]);
    const unknown = push(dataset.id, [[1]], { options: { header: ["miles"] } });
    assert.match((await refused(unknown)).message, /miles.*"km", "City", "Stad"/);
    const grown = await push(dataset.id, [[1, "x"]], {
      options: { header: ["km", "more"], update_metadata: true },
    });
    assert.is(grown.rows[0]?.columns.length, 3);
  });

  test("a value that does not fit its column fails with 422, and the error names the row and column", async () => {
    const dataset = await createDataset();
    const weight = { order: 0, type: "numeric", name: { en: "Weight" } };
    const column = await createColumn(dataset.id, weight);
    const refusal = await refused(push(dataset.id, [[1], ["heavy"]]));
    assert.is(refusal.status, 422);
    assert.match(refusal.message, /row 2, column 1 \(Weight\)/);
    await push(dataset.id, [[7]]);
    assert.equal(await rowsOf(dataset.id, [column.id]), [[7]]);
  });

  test("a dataset without columns gets its columns from its first push", async () => {
    const dataset = await createDataset();
    const empty = await refused(push(dataset.id, []));
    assert.is(empty.status, 400);
    const { rows } = await push(dataset.id, [["Ghent", 3]], {
      options: { header: ["city", "km"] },
    });
    const columnIds = rows[0]?.columns.map(({ id }) => id) ?? [];
    assert.equal(await rowsOf(dataset.id, columnIds), [["Ghent", 3]]);
    await push(dataset.id, [["Lille", 4]], { type: "replace" });
    assert.equal(await rowsOf(dataset.id, columnIds), [["Lille", 4]]);
  });

  test("a query of a dataset without rows returns no rows", async () => {
    const dataset = await createDataset();
    const column = await createColumn(dataset.id, { order: 0, type: "numeric" });
    assert.equal(await rowsOf(dataset.id, [column.id]), []);
    await client.create("data", { type: "replace", securable_id: dataset.id, data: [[5]] });
    assert.equal(await rowsOf(dataset.id, [column.id]), [[5]]);
    const other = await createDataset();
    const count: Query = {
      measures: [{ dataset_id: other.id, column_id: "*", aggregation: "count" }],
    };
    assert.match((await refused(client.get("data", count))).message, /has no columns/);
  });

  test("ids in uppercase refer to the same dataset and columns", async () => {
    const dataset = await createDataset();
    const column = await createColumn(dataset.id.toUpperCase(), { order: 0, type: "numeric" });
    await push(dataset.id.toUpperCase(), [[5]]);
    const find = {
      measures: [{ dataset_id: dataset.id.toUpperCase(), column_id: column.id.toUpperCase() }],
    };
    assert.equal((await client.get<Answer>("data", find)).data, [[5]]);
    const formula = `SUM({${dataset.id}:${column.id}})`.toUpperCase();
    assert.equal((await client.get<Answer>("data", { measures: [{ formula }] })).data, [[5]]);
    await client.delete("securable", dataset.id.toUpperCase());
  });

  test("rows survive a restart, and deleting the dataset removes them", async () => {
    await host.close();
    await open(credentials);
    const { datasetId, columnIds } = kept;
    assert.is((await rowsOf(datasetId, columnIds)).length, 3);
    await push(datasetId, [["mild", null, 1]]);
    assert.is((await rowsOf(datasetId, columnIds)).length, 4);
    for (const id of columnIds) await client.delete("column", id);
    await client.delete("securable", datasetId);
    assert.is((await refused(rowsOf(datasetId, columnIds))).status, 404);
  });
});
