import { tableFromIPC } from "apache-arrow";
import * as assert from "uvu/assert";
import { type ApiCall, arrowType, jsonType } from "../../../../core/base/contracts/index.ts";
import type { Cell } from "../../../../plugins/protocol/index.ts";
import { type FakeApp, openFakeApp, send } from "../../../support/fakeApp.ts";
import { createPlainHost, principalOf, type PlainColumn } from "../../../support/plainHost.ts";
import { suite } from "../../../support/suite.ts";

const columns: readonly PlainColumn[] = [
  { id: "city", type: "hierarchy" },
  { id: "km", type: "numeric" },
  { id: "day", type: "datetime" },
];
const rows: readonly (readonly Cell[])[] = [
  ["Ghent", 3, "2024-01-05T00:00:00.000Z"],
  ["Lille", 5.5, "2024-02-20T00:00:00.000Z"],
  [null, null, null],
];
const ref = (column_id: string, more: object = {}) => ({ column_id, dataset_id: "D", ...more });
const all = {
  dimensions: [ref("city"), ref("km"), ref("day")],
  options: { rollup_data: false },
};

suite("core/queries: the forms of an answer", (test) => {
  let app: FakeApp;
  const sendQuery = (find: unknown, accept = "application/json, text/plain, */*") =>
    send(`${app.url}/0.1.0/data`, {
      headers: { Accept: accept },
      body: JSON.stringify({ action: "get", find, key: "K", token: "T" }),
    });
  const dataOf = async (find: unknown) =>
    ((await sendQuery(find)).json() as { data: unknown[][] }).data;
  const fieldsOf = async (find: unknown) => {
    const { bytes } = await sendQuery(find, arrowType);
    return tableFromIPC(bytes).schema.fields;
  };
  const namesOf = async (find: unknown) => (await fieldsOf(find)).map(({ name }) => name);

  test.before(async () => {
    const { queries } = await createPlainHost({ columns, rows });
    const get = ({ body, signal, mediaType = jsonType }: ApiCall) =>
      queries.write(body["find"], principalOf("ada"), signal, mediaType);
    app = await openFakeApp({ handlers: new Map([["data", { get }]]) });
  });
  test.after(() => app.close());

  test('with `cells: "plain"`, a call returns strings, whether it has one query or several', async () => {
    const plain = { ...all, options: { ...all.options, cells: "plain" } };
    const labelled = (id: string) => ({ id, name: { en: id } });
    assert.equal(await dataOf(plain), rows);
    assert.equal(await dataOf({ queries: [plain] }), rows);
    const expected = rows.map(([city, ...others]) => [city && labelled(String(city)), ...others]);
    assert.equal(await dataOf(all), expected);
    assert.equal(await dataOf({ ...all, options: { ...all.options, cells: null } }), expected);
    const bins = {
      dimensions: [ref("km", { discretization: { type: "linear", size: 5 } })],
      options: { cells: "plain" },
    };
    assert.equal(await dataOf(bins), [["[ 0 - 5 ["], ["[ 5 - 10 ["], [null]]);
  });

  test("an unknown value of `cells` fails, and the error names its path", async () => {
    for (const cells of ["Plain", "", "labelled", true, 1, {}, ["plain"]]) {
      const answer = await sendQuery({ queries: [{ ...all, options: { cells } }] });
      assert.is(answer.status, 400);
      assert.match(answer.text, /queries\[0\]\.options\.cells.*plain/);
    }
  });

  test("a client that prefers Arrow gets an Arrow stream, and any other client gets JSON", async () => {
    const cases: readonly [accept: string, type: string][] = [
      [arrowType, arrowType],
      [`${arrowType}, */*;q=0.1`, arrowType],
      [`${arrowType}, application/json`, arrowType],
      [`application/json;q=0.5, ${arrowType}`, arrowType],
      ["*/*", jsonType],
      ["", jsonType],
      ["application/json", jsonType],
      [`application/json, ${arrowType};q=0.9`, jsonType],
      [`${arrowType};q=0`, jsonType],
      ["text/html", jsonType],
    ];
    for (const [accept, type] of cases) {
      const answer = await sendQuery(all, accept);
      assert.is(answer.status, 200);
      assert.is(String(answer.headers["content-type"]).split(";")[0], type, accept);
    }
  });

  test("an Arrow stream contains the cells and the other members of the plain JSON answer", async () => {
    const table = tableFromIPC((await sendQuery(all, arrowType)).bytes);
    const read = Array.from({ length: table.numRows }, (_, row) =>
      table.schema.fields.map((_field, index): unknown => table.getChildAt(index)?.get(row)),
    );
    const expected = rows.map(([city, km, day]) => [
      city,
      km,
      day && new Date(String(day)).getTime(),
    ]);
    assert.equal(read, expected);
    const members = JSON.parse(table.schema.metadata.get("manifold") ?? "") as object;
    assert.equal(Object.keys(members), ["cached", "performance"]);
    const { bytes } = await sendQuery({ queries: [all] }, arrowType);
    assert.is(tableFromIPC(bytes).numRows, 3, "a list with one query counts as one query");
  });

  test("Arrow field names show the column and its computation, and are unique", async () => {
    const sum = ref("km", { aggregation: { type: "sum" } });
    const find = {
      dimensions: [ref("city"), ref("day", { level: 3 }), ref("city")],
      measures: [
        sum,
        { column_id: "*", dataset_id: "D", aggregation: "count" },
        ref("km", { aggregation: { type: "percentile", fraction: 0.9 } }),
        { formula: "SUM({D:km}) / 2" },
        sum,
      ],
    };
    assert.equal(await namesOf(find), [
      "city",
      "month(day)",
      "city 2",
      "sum(km)",
      "count(*)",
      "percentile(km, 0.9)",
      "SUM({D:km}) / 2",
      "sum(km) 2",
    ]);
    const bins = [ref("km", { discretization: { type: "linear", size: 5 } })];
    assert.equal(await namesOf({ dimensions: bins }), ["bin(km)"]);
    const [, month, , total] = await fieldsOf(find);
    assert.equal(Object.fromEntries(month?.metadata ?? []), {
      dataset_id: "D",
      column_id: "day",
      level: "month",
    });
    assert.equal(Object.fromEntries(total?.metadata ?? []), {
      dataset_id: "D",
      column_id: "km",
      aggregation: "sum",
    });
  });

  test("a call with several queries cannot get an Arrow stream, and the error says what to do", async () => {
    const answer = await sendQuery({ queries: [all, all] }, arrowType);
    assert.is(answer.status, 400);
    assert.match(answer.text, /queries.*one query.*application\/json/);
  });

  test("errors are returned as JSON, whatever format the client accepts", async () => {
    for (const find of [{ dimensions: [ref("nothing")] }, { dimensions: 3 }, 7]) {
      const answer = await sendQuery(find, arrowType);
      assert.is(answer.status, 400);
      assert.match(String(answer.headers["content-type"]), jsonType);
      assert.is(answer.json()["code"], 400);
    }
  });

  test("an answer without rows is an empty list in JSON and only a schema in Arrow", async () => {
    const none = { ...all, where: [{ expression: "? = ?", parameters: [ref("city"), "Paris"] }] };
    assert.equal(await dataOf(none), []);
    const { bytes } = await sendQuery(none, arrowType);
    const table = tableFromIPC(bytes);
    assert.is(table.numRows, 0);
    assert.is(table.schema.fields.length, 3);
  });
});
