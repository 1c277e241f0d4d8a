import * as assert from "uvu/assert";
import { createClient, type Client } from "../../../../core/web/client/index.ts";
import type { Host } from "../../../../core/host.ts";
import { joinSharedHost } from "../../../support/joinSharedHost.ts";
import { createRandom, withSeed } from "../../../support/random.ts";
import { rounds } from "../../../support/layer.ts";
import { suite } from "../../../support/suite.ts";

type Cell = string | number | null;
type Json = Readonly<Record<string, unknown>>;
interface Pushed {
  readonly rows: readonly (Json & { readonly id: string; readonly columns: readonly Json[] })[];
  readonly counts?: Json;
}

const header = ["id", "city", "km"];
type Row = readonly Cell[];
const rows: readonly [Row, Row, Row] = [
  ["a", "Ghent", 3],
  ["b", "Bruges", 5],
  ["c", null, 7],
];

/** Sorts rows by their first two cells. */
const inOrder = (of: readonly (readonly Cell[])[]) =>
  of.toSorted((left, right) => (String(left.slice(0, 2)) < String(right.slice(0, 2)) ? -1 : 1));

suite("core/sources/data/updateRows", (test) => {
  let host: Host;
  let client: Client;
  let pair = { key: "", token: "" };
  test.before(async () => {
    host = await joinSharedHost();
    pair = host.madeCredentials ?? pair;
    client = createClient({ url: host.url, ...pair });
  });
  test.after(() => host.close());

  const create = async (data: readonly (readonly Cell[])[] = rows) => {
    const made = await client.create<Pushed>("data", { type: "create", data, options: { header } });
    const [dataset] = made.rows;
    if (!dataset) throw new Error("the push returned no dataset");
    return dataset;
  };
  type Dataset = Awaited<ReturnType<typeof create>>;
  const read = async ({ id, columns }: Dataset) => {
    const dimensions = columns.map((column) => ({ dataset_id: id, column_id: column["id"] }));
    const options = { rollup_data: false, cells: "plain" };
    const limit = { by: 20_000, offset: 0 };
    const answer = await client.get<{ data: Cell[][] }>("data", { dimensions, options, limit });
    return inOrder(answer.data);
  };
  const update = async (
    dataset: Dataset,
    data: readonly (readonly Cell[])[],
    options: Json,
    more: Json = {},
  ) => {
    const properties = { securable_id: dataset.id, data, options };
    const response = await fetch(`${host.url}/0.1.0/data`, {
      method: "POST",
      headers: { "Content-Type": "application/json" },
      body: JSON.stringify({ action: "update", ...pair, properties, ...more }),
    });
    const body = (await response.json()) as Json & Pushed & { message?: string };
    return { status: response.status, body, text: JSON.stringify(body) };
  };
  const refused = async (
    dataset: Dataset,
    data: readonly (readonly Cell[])[],
    options: Json,
    expected: RegExp,
    more: Json = {},
  ) => {
    const before = await read(dataset);
    const { status, text } = await update(dataset, data, options, more);
    assert.ok([400, 413, 422].includes(status), text);
    assert.match(text, expected);
    assert.equal(await read(dataset), before);
  };

  test("an update replaces rows by key, inserts the others, and returns counts", async () => {
    const dataset = await create();
    const data: [Row, Row] = [
      ["b", "Bruges-Zeebrugge", 50],
      ["d", "Liège", 9],
    ];
    const { status, body, text } = await update(dataset, data, { header, key: ["id"] });
    assert.is(status, 200, text);
    assert.equal(body.counts, { updated: 1, inserted: 1, deleted: 0, ignored: 0 });
    assert.equal(await read(dataset), inOrder([rows[0], rows[2], ...data]));
    const [changed] = body.rows;
    assert.is(changed?.["rows"], 4);
    const [id, city, km] = changed?.columns ?? [];
    assert.equal([id?.["cardinality"], city?.["cardinality"]], [4, 3]);
    assert.equal([km?.["minimum"], km?.["maximum"], km?.["cardinality"]], [3, 50, 4]);
  });

  test("columns that the header lacks keep their values, and are null in inserted rows", async () => {
    const dataset = await create();
    const data: [Row, Row] = [
      ["a", 30],
      ["z", 1],
    ];
    await update(dataset, data, { header: ["id", "km"], key: ["id"] });
    assert.equal(
      await read(dataset),
      inOrder([rows[1], rows[2], ["a", "Ghent", 30], ["z", null, 1]]),
    );
  });

  test("rows are deleted by key, and keys without rows are ignored", async () => {
    const dataset = await create();
    const options = { header: ["id"], key: ["id"], delete: true };
    const { body } = await update(dataset, [["a"], ["z"]], options);
    assert.equal(body.counts, { updated: 0, inserted: 0, deleted: 1, ignored: 1 });
    assert.equal(await read(dataset), inOrder([rows[1], rows[2]]));
    assert.is(body.rows[0]?.["rows"], 2);
    assert.is(body.rows[0]?.columns[2]?.["minimum"], 5);
    const none = await update(dataset, [["b"], ["c"]], options);
    assert.is(none.body.rows[0]?.["rows"], 0);
    assert.equal(await read(dataset), []);
  });

  test("`missing` decides whether rows without a stored row are inserted, ignored or refused", async () => {
    const dataset = await create();
    const data: [Row, Row] = [
      ["a", "Ghent", 4],
      ["y", "Ypres", 1],
    ];
    await refused(
      dataset,
      data,
      { header, key: ["id"], missing: "refuse" },
      /row 2 \(counted from 1\)/,
    );
    const ignored = await update(dataset, data, { header, key: ["id"], missing: "ignore" });
    assert.equal(ignored.body.counts, { updated: 1, inserted: 0, deleted: 0, ignored: 1 });
    assert.equal(await read(dataset), inOrder([rows[1], rows[2], data[0]]));
  });

  test("a key of several columns can be given by names and ids, and the header may be left out", async () => {
    const dataset = await create();
    const keyOf = ["id", String(dataset.columns[1]?.["id"])];
    const { body } = await update(dataset, [["a", "Ghent", 8]], { key: keyOf });
    assert.equal(body.counts, { updated: 1, inserted: 0, deleted: 0, ignored: 0 });
    assert.equal(await read(dataset), inOrder([rows[1], rows[2], ["a", "Ghent", 8]]));
  });

  test("one row takes the place of all rows with its key, unless values would be lost", async () => {
    const twice = [
      ["a", "Ghent", 1],
      ["a", "Bruges", 2],
    ];
    const dataset = await create(twice);
    const partial = { header: ["id", "km"], key: ["id"] };
    await refused(dataset, [["a", 3]], partial, /several stored rows have the key of row 1 /);
    const { body } = await update(dataset, [["a", "Liège", 3]], { header, key: ["id"] });
    assert.equal(body.counts, { updated: 1, inserted: 0, deleted: 1, ignored: 0 });
    assert.equal(await read(dataset), inOrder([["a", "Liège", 3]]));
  });

  test("a wrong update is refused with 400 that names the member or the rows, and changes nothing", async () => {
    const dataset = await create();
    const row = ["a", "Ghent", 4];
    const of = { header, key: ["id"] };
    await refused(dataset, [row], { header }, /properties\.options\.key.*identify a row/);
    await refused(dataset, [row], { header, key: [] }, /properties\.options\.key/);
    await refused(dataset, [row], { header, key: "id" }, /properties\.options\.key/);
    await refused(dataset, [row], { header, key: ["gone"] }, /no column \\"gone\\"/);
    await refused(dataset, [row], { header, key: ["id", "id"] }, /names a column twice/);
    await refused(
      dataset,
      [["Ghent", 4]],
      { header: ["city", "km"], key: ["id"] },
      /no column \\"id\\"/,
    );
    await refused(
      dataset,
      [[...row, 1]],
      { header: [...header, "new"], key: ["id"] },
      /no column \\"new\\"/,
    );
    await refused(
      dataset,
      [row, ["b", "x", 1], row],
      of,
      /rows 1, 3 \(counted from 1\) have the same key/,
    );
    await refused(dataset, [row, [null, "x", 1]], of, /is null in row 2 /);
    await refused(dataset, [["a", "Ghent", "far"]], of, /row 1, column 3/);
    await refused(dataset, [row], { ...of, missing: "skip" }, /missing/);
    await refused(dataset, [row], { ...of, delete: "yes" }, /delete/);
    await refused(dataset, [row], { ...of, delete: true }, /only the columns of the key/);
    const insert = { header: ["id"], key: ["id"], delete: true, missing: "insert" };
    await refused(dataset, [["a"]], insert, /missing.*ignore or refuse/);
    await refused(dataset, [row], { ...of, update_metadata: true }, /update_metadata/);
    await refused(dataset, [row], of, /securable_id/, { id: "another" });
    const many = Array.from({ length: 10_001 }, (_, index) => [`k${index}`, null, index]);
    await refused(dataset, many, of, /10001|10,001/);
  });

  test("an update with a `request_id` takes effect once", async () => {
    const dataset = await create();
    const named = { request_id: "update-1" };
    const first = await update(dataset, [["z", "Z", 1]], { header, key: ["id"] }, named);
    const second = await update(dataset, [["z", "Z", 1]], { header, key: ["id"] }, named);
    assert.equal(second.body.counts, { updated: 0, inserted: 1, deleted: 0, ignored: 0 });
    assert.equal(second.body, first.body);
    const other = await update(dataset, [["z", "Z", 2]], { header, key: ["id"] }, named);
    assert.is(other.status, 409, other.text);
  });

  test("an update without rows changes nothing", async () => {
    const dataset = await create();
    const { status, body } = await update(dataset, [], { header, key: ["id"] });
    assert.is(status, 200);
    assert.equal(body.counts, { updated: 0, inserted: 0, deleted: 0, ignored: 0 });
    assert.equal(await read(dataset), inOrder(rows));
  });

  test("the typed client updates rows of a dataset by its id, and the audit names the update", async () => {
    const dataset = await create();
    const { counts } = await client.update("data", dataset.id, {
      data: [["a", "Ghent", 11]],
      options: { key: ["id"] },
    });
    assert.equal(counts, { updated: 1, inserted: 0, deleted: 0, ignored: 0 });
    const where = { resource: "data", record_id: dataset.id, action: "update" };
    const events = await client.get("auditevent", { where });
    assert.is(events.count, 1);
  });

  test("updates, appends and replacements at the same time take effect one after another", async () => {
    const dataset = await create();
    const of = { header, key: ["id"] };
    const append = {
      type: "append",
      securable_id: dataset.id,
      data: [["p", "Pau", 1]],
      options: { header },
    };
    const answers = await Promise.all([
      update(dataset, [["x", "one", 1]], of),
      client.create<Pushed>("data", append),
      update(dataset, [["x", "two", 2]], of),
      update(dataset, [["x"]], { header: ["id"], key: ["id"], delete: true }),
      client.create<Pushed>("data", append),
      update(dataset, [["x", "three", 3]], of),
    ]);
    for (const each of answers) if ("status" in each) assert.is(each.status, 200, each.text);
    const found = await read(dataset);
    assert.is(found.filter(([id]) => id === "p").length, 2);
    // Pushes take effect in the order in which they arrive, which the network decides.
    assert.ok(found.filter(([id]) => id === "x").length <= 1);
    const [stored] = (
      await client.get<{ rows: Json[] }>("securable", { where: { id: dataset.id } })
    ).rows;
    assert.is(stored?.["rows"], found.length);
    const replacing = { ...append, type: "replace", data: rows };
    await Promise.all([
      update(dataset, [["x", "four", 4]], of),
      client.create<Pushed>("data", replacing),
    ]);
    const last = await read(dataset);
    assert.ok(last.length === 3 || last.length === 4, JSON.stringify(last));
  });

  test("an update of a dataset that is deleted meanwhile succeeds or fails with 404", async () => {
    const dataset = await create();
    const sent = Array.from({ length: 4 }, (_, index) =>
      update(dataset, [["x", "one", index]], { header, key: ["id"] }),
    );
    await client.delete("securable", dataset.id);
    for (const { status, text } of await Promise.all(sent))
      assert.ok([200, 404].includes(status), text);
    const { status, text } = await update(dataset, [["x", "one", 1]], { header, key: ["id"] });
    assert.is(status, 404, text);
  });

  test("random updates and deletes beside appends leave the rows of a map", async () => {
    const random = createRandom();
    await withSeed(random, async () => {
      const rowCount = rounds({ quick: 300, deep: 2_100 });
      const start = Array.from(
        { length: rowCount },
        (_, id) => [`k${id}`, `c${id % 7}`, id] as Cell[],
      );
      const dataset = await create(start);
      const plain = new Map(start.map((row) => [String(row[0]), row]));
      for (let round = 0; round < rounds({ quick: 4, deep: 20, soak: 100 }); round++) {
        const ids = new Set(
          Array.from(
            { length: 1 + random.below(rowCount / 3) },
            () => `k${random.below(1.5 * rowCount)}`,
          ),
        );
        if (random.chance(0.3)) {
          await update(
            dataset,
            [...ids].map((id) => [id]),
            { header: ["id"], key: ["id"], delete: true },
          );
          for (const id of ids) plain.delete(id);
        } else {
          const data = [...ids].map(
            (id) => [id, `n${random.below(9)}`, random.below(1000)] as Cell[],
          );
          const { status, text } = await update(dataset, data, { header, key: ["id"] });
          assert.is(status, 200, text);
          for (const row of data) {
            plain.delete(String(row[0]));
            plain.set(String(row[0]), row);
          }
        }
        const found = await read(dataset);
        assert.equal(found, inOrder([...plain.values()]));
      }
    });
  });
});
