import * as assert from "uvu/assert";
import { rounds } from "../../../../support/layer.ts";
import { suite } from "../../../../support/suite.ts";
import { openUploader, type StoredDataset, type Uploader } from "./openUploader.ts";

const trips = "city,fare,day\nOslo,12.5,2024-01-31\nBergen,,2024-02-01\nOslo,7,2024-02-02\n";

suite("core/sources/data/uploads", (test) => {
  let uploader: Awaited<ReturnType<typeof openUploader>>;
  test.before(async () => {
    uploader = await openUploader();
  });
  test.after(() => uploader.host.close());

  test("a CSV file becomes a dataset with the detected types", async () => {
    const dataset = await uploader.create(trips, "trips.csv");
    assert.is(dataset.rows, 3);
    assert.equal(
      dataset.columns.map(({ source_name, type, subtype, cardinality, minimum, maximum }) => [
        source_name,
        type,
        subtype,
        cardinality,
        minimum,
        maximum,
      ]),
      [
        ["city", "hierarchy", null, 2, null, null],
        ["fare", "numeric", null, 2, 7, 12.5],
        ["day", "datetime", "date", 3, Date.UTC(2024, 0, 31), Date.UTC(2024, 1, 2)],
      ],
    );
    const rows = await uploader.read(dataset);
    assert.equal(
      rows.map(([city, fare]) => [city, fare]),
      [
        ["Bergen", null],
        ["Oslo", 7],
        ["Oslo", 12.5],
      ],
    );
  });

  test("a preview returns columns, counts and rows as they would be stored", async () => {
    const { status, body } = await preview(uploader, trips);
    assert.is(status, 200);
    assert.is(body.valid, true);
    assert.equal(body.rows, [
      ["Oslo", 12.5, "2024-01-31"],
      ["Bergen", null, "2024-02-01"],
      ["Oslo", 7, "2024-02-02"],
    ]);
    assert.equal(body.columns?.[1]?.["seen"], {
      rows: 3,
      values: 2,
      nulls: 1,
      minimum: 7,
      maximum: 12.5,
      form: "numbers",
      misfit_count: 0,
      misfits: [],
    });
  });

  test("a sample may end within a record", async () => {
    const options = { file: { header: true } };
    for (const sample of [`${trips}Ber`, `${trips}"Ber\ngen`, `${trips}"Ber\ngen",1,2024-01-0`]) {
      const { body } = await preview(uploader, sample, { is_sample: true, options });
      assert.is(body.valid, true, body.message);
      assert.is(body.rows?.length, 3);
    }
  });

  test("a wrong cell is reported with its line and column, and nothing is stored", async () => {
    const file = `${trips}Oslo,many,2024-02-03\n`;
    const options = { file: { columns: { fare: "number" } } };
    const properties = { type: "create", options };
    const before = await countDatasets(uploader);
    const { body: found } = await preview(uploader, file, { options });
    assert.is(found.valid, false);
    const { status, body } = await uploader.send({ action: "create", properties }, file);
    assert.is(status, 422);
    for (const message of [found.message, body.message])
      assert.match(message ?? "", /"data.csv".*line 5: "fare" must be a number, not "many"/);
    assert.is(await countDatasets(uploader), before);
  });

  test("a message about a wrong cell names settings of the upload, and no live source", async () => {
    const file = `${trips}Oslo,many,2024-02-03\n`;
    const properties = { type: "create", options: { file: { columns: { fare: "number" } } } };
    const { body } = await uploader.send({ action: "create", properties }, file);
    assert.match(
      body.message ?? "",
      /; correct the file, add this string to nulls, or set the type of the column to text in properties\.options\.file\.columns$/,
    );
  });

  test("a column of durations is stored as durations", async () => {
    const dataset = await uploader.create("took\n1:30:00\n", "took.csv", {
      file: { columns: { took: "duration" } },
    });
    assert.equal(
      dataset.columns.map(({ type, subtype }) => [type, subtype]),
      [["numeric", "duration"]],
    );
    assert.equal(await uploader.read(dataset), [[1.5]]);
  });

  test("append adds the rows of a file, and replace exchanges all rows for them", async () => {
    const dataset = await uploader.create(trips, "trips.csv");
    const more = "day,city,fare\n2024-03-01,Tromsø,99\n";
    const append = { type: "append", securable_id: dataset.id };
    const added = await uploader.send({ action: "create", properties: append }, more);
    assert.is(added.status, 200, added.body.message);
    assert.equal(
      (await uploader.read(dataset)).map(([city, fare]) => [city, fare]),
      [
        ["Bergen", null],
        ["Oslo", 7],
        ["Oslo", 12.5],
        ["Tromsø", 99],
      ],
    );
    const [appended] = added.body.rows as StoredDataset[];
    assert.is(appended?.rows, 4);
    assert.equal(
      appended?.columns.map(({ minimum, maximum, cardinality }) => [minimum, maximum, cardinality]),
      [
        [null, null, 3],
        [7, 99, 3],
        [Date.UTC(2024, 0, 31), Date.UTC(2024, 2, 1), 4],
      ],
    );
    const replace = { type: "replace", securable_id: dataset.id };
    const replaced = await uploader.send({ action: "create", properties: replace }, more);
    assert.is(replaced.status, 200, replaced.body.message);
    assert.equal(
      (await uploader.read(dataset)).map(([city, fare]) => [city, fare]),
      [["Tromsø", 99]],
    );
  });

  test("an append or replace with a wrong cell changes nothing", async () => {
    const dataset = await uploader.create(trips, "trips.csv");
    const rowCount = rounds({ quick: 12_000, deep: 70_000 });
    const wrong = `city,fare,day\n${"Oslo,1,2024-01-01\n".repeat(rowCount)}Oslo,many,2024-01-01\n`;
    for (const type of ["append", "replace"]) {
      const properties = { type, securable_id: dataset.id };
      const { status, body } = await uploader.send({ action: "create", properties }, wrong);
      assert.is(status, 422);
      assert.match(body.message ?? "", `line ${rowCount + 2}: "fare" must be a number, not "many"`);
      assert.is((await uploader.read(dataset)).length, 3);
    }
  });

  test("a file with other columns is refused, unless update_metadata allows to add or remove them", async () => {
    const dataset = await uploader.create(trips, "trips.csv");
    const other = "city,tip\nOslo,3\n";
    const append = { type: "append", securable_id: dataset.id };
    const refused = await uploader.send({ action: "create", properties: append }, other);
    assert.is(refused.status, 400);
    assert.match(refused.body.message ?? "", /no column "tip".*update_metadata/);
    const found = await uploader.send({ action: "validate", properties: append }, other);
    assert.is(found.body.valid, false);
    const options = { update_metadata: true };
    const properties = { ...append, options };
    const allowed = await uploader.send({ action: "validate", properties }, other);
    assert.equal(
      allowed.body.columns?.map((column) => [column["name"], column["id"]]),
      [
        ["city", dataset.columns[0]?.id],
        ["tip", undefined],
      ],
    );
    const added = await uploader.send({ action: "create", properties }, other);
    assert.is(added.status, 200, added.body.message);
    const [grown] = added.body.rows as StoredDataset[];
    assert.equal(
      grown?.columns.map((column) => column.source_name),
      ["city", "fare", "day", "tip"],
    );
    const replace = { ...properties, type: "replace" };
    const replaced = await uploader.send({ action: "create", properties: replace }, other);
    const [shrunk] = replaced.body.rows as StoredDataset[];
    assert.equal(
      shrunk?.columns.map((column) => column.source_name),
      ["city", "tip"],
    );
    assert.equal(await uploader.read(shrunk!), [["Oslo", 3]]);
  });

  test("appends use the settings with which the dataset was created, unless the call has settings", async () => {
    const settings = { separator: "semicolon", decimal: "comma" };
    const dataset = await uploader.create("a;b\nx;1,5\n", "one.csv", { file: settings });
    const properties = { type: "append", securable_id: dataset.id };
    const { status, body } = await uploader.send({ action: "create", properties }, "a;b\ny;2,5\n");
    assert.is(status, 200, body.message);
    assert.match((body.warnings ?? []).join(), /settings that are kept with the dataset/);
    assert.equal(await uploader.read(dataset), [
      ["x", 1.5],
      ["y", 2.5],
    ]);
    const other = { ...properties, options: { file: { separator: "comma", decimal: "point" } } };
    await uploader.send({ action: "create", properties: other }, "a,b\nz,3.5\n");
    assert.equal((await uploader.read(dataset)).at(-1), ["z", 3.5]);
  });

  test("a member that is wrong is named, with the way out", async () => {
    const dataset = await uploader.create(trips);
    const cases = [
      [{ type: "create", options: { file: { seperator: ";" } } }, /did you mean separator/],
      [
        { type: "create", options: { file: { header: "yes" } } },
        /options\.file.*header must be true or false/,
      ],
      [{ type: "create", options: { file: { decimal: "dot" } } }, /decimal must be one of/],
      [{ type: "create", options: { file: { sheet: "A" } } }, /has no sheets/],
      [{ type: "create", data: [[1]] }, /the rows come from the file/],
      [{ type: "create", is_sample: true }, /needs the whole file/],
      [{ type: "create", offset: 1.5 }, /offset.*number of bytes/],
      [{ type: "create", size_bytes: 7 }, /size_bytes.*has [0-9]+ bytes, not 7/],
      [{ type: "append" }, /securable_id is required/],
      [{ type: "create", securable_id: dataset.id }, /must be left out/],
      [{ type: "append", securable_id: crypto.randomUUID() }, /no dataset/],
    ] as const;
    for (const [properties, message] of cases) {
      const { status, body } = await uploader.send({ action: "create", properties }, trips);
      assert.ok(status >= 400 && status < 500, `${status} ${body.message}`);
      assert.match(body.message ?? "", message);
    }
    const unknown = await uploader.send(
      { action: "create", properties: { type: "create" } },
      trips,
      "trips.doc",
    );
    assert.match(unknown.body.message ?? "", /"trips\.doc" must have one of the extensions csv/);
    const other = await uploader.send({ action: "get" }, trips);
    assert.match(other.body.message ?? "", /action.*must be create or validate/);
  });
});

function preview(uploader: Uploader, file: string, properties: object = {}) {
  const all = { type: "create", ...properties };
  return uploader.send({ action: "validate", properties: all }, file);
}

async function countDatasets(uploader: Uploader): Promise<number | undefined> {
  const { body } = await uploader.call("securable", { action: "get", find: {} });
  return body.rows?.length;
}
