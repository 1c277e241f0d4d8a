import * as assert from "uvu/assert";
import { suite } from "../../../../support/suite.ts";
import { openUploader, type Uploader } from "./openUploader.ts";

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
});

function preview(uploader: Uploader, file: string, properties: object = {}) {
  const all = { type: "create", ...properties };
  return uploader.send({ action: "validate", properties: all }, file);
}

async function countDatasets(uploader: Uploader): Promise<number | undefined> {
  const { body } = await uploader.call("securable", { action: "get", find: {} });
  return body.rows?.length;
}
