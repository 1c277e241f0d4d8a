import { randomUUID } from "node:crypto";
import { gzipSync } from "node:zlib";
import * as assert from "uvu/assert";
import type { Host } from "../../../../core/host.ts";
import { joinSharedHost } from "../../../support/joinSharedHost.ts";
import { createRandom } from "../../../support/random.ts";
import { suite } from "../../../support/suite.ts";

type Json = Readonly<Record<string, unknown>>;
interface Pushed {
  readonly rows: readonly (Json & { readonly id: string; readonly columns: readonly Json[] })[];
  readonly warnings?: readonly string[];
}

const header = ["city", "km", "at", "day", "note", "nothing"];

/** Members of a column that depend on the pushed rows. */
const pushedMembers = [
  "source_name",
  "order",
  "type",
  "subtype",
  "format",
  "informat",
  "cardinality",
  "minimum",
  "maximum",
  "minBound",
  "maxBound",
];

/** Rows that are large enough to be decoded by a thread. */
function largeRows(count = 700): (string | number | null)[][] {
  const random = createRandom(7);
  return Array.from({ length: count }, (_, row) => [
    random.chance(0.1) ? null : `city ${random.below(50)} ä😀`,
    random.chance(0.1) ? null : random.below(10_000) / 8,
    new Date(random.below(2 ** 31) * 1000).toISOString(),
    `${13 + random.below(15)}/${1 + random.below(12)}/2024`,
    random.pick(["a", "b", `"${row}"`]),
    null,
  ]);
}

suite("large pushes", (test) => {
  let host: Host;
  let { key, token } = { key: "", token: "" };
  test.before(async () => {
    host = await joinSharedHost();
    ({ key, token } = host.madeCredentials!);
  });
  test.after(() => host.close());

  const send = async (
    body: string | Uint8Array<ArrayBuffer>,
    headers: Record<string, string> = {},
  ) => {
    const response = await fetch(`${host.url}/0.1.0/data`, {
      method: "POST",
      headers: { "Content-Type": "application/json", ...headers },
      body,
    });
    return { status: response.status, body: (await response.json()) as Json & Pushed };
  };
  const bodyOf = (properties: string, members: Json = {}) =>
    `${JSON.stringify({ action: "create", key, token, ...members }).slice(0, -1)},"properties":${properties}}`;
  const push = async (properties: Json, members: Json = {}) =>
    send(bodyOf(JSON.stringify(properties), members));
  const pushed = async (properties: Json) => {
    const { status, body } = await push(properties);
    assert.is(status, 200, JSON.stringify(body));
    return body;
  };
  const read = async ({ id, columns }: Pushed["rows"][number]) => {
    const dimensions = columns.map((column) => ({ dataset_id: id, column_id: column["id"] }));
    const find = {
      dimensions,
      options: { rollup_data: false, cells: "plain" },
      limit: { by: 5000, offset: 0 },
    };
    const { body } = await send(JSON.stringify({ action: "get", key, token, find }));
    return body["data"] as readonly (readonly unknown[])[];
  };
  const sorted = (rows: readonly unknown[]) => rows.map((row) => JSON.stringify(row)).toSorted();
  const plain = (columns: readonly Json[]) =>
    columns.map((column) => pushedMembers.map((member) => [member, column[member]]));

  test("a large create and several small pushes with the same rows give the same columns and rows", async () => {
    const rows = largeRows();
    const options = { header, update_metadata: true, name: { en: "x" } };
    const large = await pushed({ type: "create", data: rows, options });
    const [made] = (await pushed({ type: "create", data: rows.slice(0, 100), options })).rows;
    for (let from = 100; from < rows.length; from += 100)
      await pushed({ securable_id: made?.id, data: rows.slice(from, from + 100) });
    const small = (await pushed({ securable_id: made?.id, data: [], type: "append" })).rows[0];
    assert.ok(large.rows[0] && small);
    assert.is(large.rows[0]["rows"], rows.length);
    assert.equal(large.warnings, undefined);
    assert.equal(plain(large.rows[0].columns), plain(small.columns));
    assert.equal(sorted(await read(large.rows[0])), sorted(await read(small)));
    assert.equal(sorted(await read(small)).length, rows.length);
  });

  test("a large append converts cells to the types of the dataset, and a large replace to new ones", async () => {
    const rows = largeRows();
    const options = { header, update_metadata: true };
    const [made] = (
      await pushed({
        type: "create",
        data: [["x", 1, "2024-01-05", "13/1/2024", "b", "1"]],
        options,
      })
    ).rows;
    assert.ok(made);
    const numbers = rows.map(([, km, at, day]) => [km, null, at, day, at, km]);
    await pushed({ securable_id: made.id, data: numbers });
    const texts = (cell: number) =>
      numbers.map((row) => (row[cell] === null ? null : String(row[cell]))).toSorted();
    const found = (await read(made)).filter(([city]) => city !== "x");
    assert.is(found.length, rows.length);
    for (const cell of [0, 5]) assert.equal(found.map((row) => row[cell]).toSorted(), texts(cell));
    const [replaced] = (
      await pushed({ type: "replace", securable_id: made.id, data: rows, options })
    ).rows;
    assert.is(replaced?.["rows"], rows.length);
    assert.equal(
      sorted((await read(replaced!)).map(([city]) => city)),
      sorted(rows.map(([city]) => city)),
    );
  });

  test("a compressed body, and members in another order, are stored alike", async () => {
    const data = JSON.stringify(largeRows());
    const rest = `"type":"create","options":{"header":${JSON.stringify(header)}}`;
    const packed = gzipSync(bodyOf(`{${rest}, "data" : ${data}\n}`));
    const one = await send(new Uint8Array(packed), { "Content-Encoding": "gzip" });
    const other = await send(
      `{"properties":{"d\\u0061ta":${data},${rest}},"key":"${key}","token":"${token}","action":"create"}`,
    );
    assert.equal([one.status, other.status], [200, 200]);
    assert.equal(sorted(await read(one.body.rows[0]!)), sorted(await read(other.body.rows[0]!)));
  });

  test("errors name the same row and cell as in a small push, and nothing is stored", async () => {
    const [made] = (
      await pushed({
        type: "create",
        data: [["x", 1, "2024-01-05"]],
        options: { header: ["s", "n", "d"] },
      })
    ).rows;
    const good = Array.from({ length: 1600 }, (_, row) => [`x${row}`, row, "2024-01-05"]);
    const cases: readonly (readonly [string, RegExp])[] = [
      ['["x",true,null]', /row 1601, column 2 \(n\).*cannot be a boolean/],
      ['["x",9007199254740993,null]', /row 1601.*2\^53/i],
      ['["x",1e400,null]', /finite/],
      ['["x","1 km",null]', /numeric column cannot be a string/],
      ['["x",1,"soon"]', /not an ISO date-time/],
      ['[["x"],1,null]', /cannot be a list/],
      ['["x",1]', /row 1601.*it has 2 cells/],
      ['{"s":"x"}', /a row must be a list of cells/],
      ['["x",01,null]', /cannot be parsed as JSON/],
      ['["x",1,null', /bracket is missing|cannot be parsed as JSON/],
    ];
    const text = JSON.stringify(good).slice(0, -1);
    for (const [row, message] of cases) {
      const { status, body } = await send(
        bodyOf(`{"securable_id":"${made?.id}","data":${text},${row}]}`),
      );
      assert.ok(status === 400 || status === 422, row);
      assert.match(JSON.stringify(body["message"]), new RegExp(message.source, "i"), row);
    }
    const { status, body } = await push({
      securable_id: made?.id,
      data: Array.from({ length: 7 }, () => good).flat(),
    });
    assert.is(status, 413);
    assert.match(JSON.stringify(body["message"]), /11200/);
    const broken = Buffer.from(
      bodyOf(`{"securable_id":"${made?.id}","data":${text},["\u0001",1,null]]}`),
      "latin1",
    );
    broken[broken.indexOf(1)] = 0xff;
    assert.is((await send(new Uint8Array(broken))).status, 400);
    assert.is((await read(made!)).length, 1);
  });

  test("a repeated push takes effect once, even if its JSON is written differently", async () => {
    const rows = Array.from({ length: 2000 }, (_, row) => [`ä${row}`, row / 4, null]);
    const [made] = (
      await pushed({ type: "create", data: rows.slice(0, 1), options: { header: ["s", "n", "z"] } })
    ).rows;
    const requestId = randomUUID();
    const properties = { type: "append", securable_id: made?.id, data: rows };
    const first = await push(properties, { request_id: requestId });
    const spaced = JSON.stringify(rows, null, 1).replaceAll("ä", "\\u00e4");
    const again = await send(
      bodyOf(`{"data":${spaced},"securable_id":"${made?.id}"}`, { request_id: requestId }),
    );
    assert.equal([first.status, again.status], [200, 200]);
    assert.equal(again.body, first.body);
    const other = await push({ ...properties, data: rows.slice(1) }, { request_id: requestId });
    assert.is(other.status, 409);
    assert.is((await read(made!)).length, 2001);
  });

  test("validate describes a large push without storing it", async () => {
    const properties = { type: "create", data: largeRows(), options: { header } };
    const { body } = await push(properties, { action: "validate" });
    assert.is(body["valid"], true);
    assert.equal(
      (body["columns"] as readonly Json[]).map((column) => column["type"]),
      ["hierarchy", "numeric", "datetime", "datetime", "hierarchy", "hierarchy"],
    );
  });

  test("validate refuses a large body that is not JSON as it refuses a small one", async () => {
    const good = JSON.stringify(largeRows()).slice(0, -1);
    const found = [];
    for (const rows of ["[", `${good},`])
      found.push(
        await send(bodyOf(`{"type":"create","data":${rows}["x",01]]}`, { action: "validate" })),
      );
    const [small, large] = found;
    assert.is(large?.status, 400);
    assert.match(JSON.stringify(large?.body["type"]), /REQUEST_NOT_JSON/);
    for (const member of ["code", "type", "message"])
      assert.equal(large?.body[member], small?.body[member]);
  });

  test("the statistics of a column are exact after each of several large pushes", async () => {
    const rowsFrom = (first: number) =>
      Array.from({ length: 10_000 }, (_, row) => [
        row % 7 === 0 ? null : `user ${(first + row) % 12_500}`,
        first - row,
      ]);
    const all = rowsFrom(0);
    let answer = await pushed({ type: "create", data: all, options: { header: ["user", "n"] } });
    for (const first of [6000, 11_000]) {
      const data = rowsFrom(first);
      all.push(...data);
      answer = await pushed({ type: "append", securable_id: answer.rows[0]?.id, data });
    }
    const numbers = all.map(([, value]) => Number(value));
    assert.equal(
      answer.rows[0]?.columns.map((each) => [
        each["cardinality"],
        each["minimum"],
        each["maximum"],
      ]),
      [
        [new Set(all.flatMap(([user]) => user ?? [])).size, null, null],
        [null, Math.min(...numbers), Math.max(...numbers)],
      ],
    );
  });
});
