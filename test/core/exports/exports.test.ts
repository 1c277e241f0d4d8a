// This file costs more than three seconds, because it exports and reads files in every format.
import { randomUUID } from "node:crypto";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DuckDBInstance, DuckDBTimestampValue, type DuckDBConnection } from "@duckdb/node-api";
import { tableFromIPC } from "apache-arrow";
import { readSheet } from "read-excel-file/node";
import * as assert from "uvu/assert";
import { rounds } from "../../support/layer.ts";
import { suite } from "../../support/suite.ts";
import { openPeople, type Dataset, type People, type Person } from "../openPeople.ts";

type Json = Readonly<Record<string, unknown>>;

const formats = ["csv", "csv-raw", "xlsx", "xlsx-raw", "parquet", "arrow", "json"] as const;

const rows = [
  ["north", 1.5, "2001-07-01T22:30:00.000Z"],
  ["=1+1", -2, null],
  ['a "quoted", text\nof two lines', null, "1999-12-31T23:59:59.000Z"],
  ["@cmd|' /C calc'!A0", 4e15, "2001-02-03T04:05:06.000Z"],
  ["-7", 0.1, "2001-02-03T04:05:06.000Z"],
  ["<b>&\u202eë 漢", 5, "2001-02-03T04:05:06.000Z"],
];

suite("core/host and exports", (test) => {
  let people: People;
  let instance: DuckDBInstance;
  let duckdb: DuckDBConnection;
  let folder: string;
  let dataset: Dataset;
  test.before(async () => {
    people = await openPeople();
    instance = await DuckDBInstance.create(":memory:", { threads: "1" });
    duckdb = await instance.connect();
    folder = await mkdtemp(join(tmpdir(), "manifold-exports-"));
    const pushed = await people.owner.create<{ rows: { id: string; columns: Json[] }[] }>("data", {
      type: "create",
      data: rows,
      options: { header: ["name", "km", "at"] },
    });
    const [made] = pushed.rows;
    const columns = (made?.columns ?? []).map((column) => [column["source_name"], column["id"]]);
    dataset = { id: made!.id, columns: Object.fromEntries(columns) };
  });
  test.after(async () => {
    duckdb?.closeSync();
    instance?.closeSync();
    await people?.close();
    await rm(folder, { recursive: true, force: true });
  });

  const reference = (name: string, more: Json = {}, of = dataset) => ({
    dataset_id: of.id,
    column_id: of.columns[name],
    ...more,
  });
  const everything = () => ({
    dimensions: [reference("name"), reference("at")],
    measures: [reference("km")],
    options: { rollup_data: false, cells: "plain" },
  });
  const send = async (resource: string, properties: Json, by: Person = people.owner) => {
    const answer = await fetch(`${people.host.url}/0.1.0/${resource}`, {
      method: "POST",
      headers: { "Content-Type": "application/json" },
      body: JSON.stringify({ action: "create", version: "0.1.0", ...by.pair, properties }),
    });
    const bytes = Buffer.from(await answer.arrayBuffer());
    return { status: answer.status, headers: answer.headers, bytes };
  };
  const exported = async (properties: Json, by?: Person): Promise<Buffer> => {
    const { status, bytes } = await send("export", properties, by);
    assert.is(status, 200, bytes.toString().slice(0, 500));
    return bytes;
  };
  const answered = async (query: Json, by: Person = people.owner): Promise<unknown[][]> =>
    (await by.get<{ data: unknown[][] }>("data", query)).data;
  const selected = async (sql: string): Promise<unknown[][]> =>
    (await duckdb.runAndReadAll(sql)).getRows();
  /** Reads the rows of a file with a program that is not ours. */
  const read = async (format: (typeof formats)[number], bytes: Buffer): Promise<unknown[][]> => {
    const path = join(folder, `${randomUUID()}.${format}`);
    await writeFile(path, bytes);
    switch (format) {
      case "csv":
      case "csv-raw":
        return selected(`select * from read_csv('${path}', header = true, all_varchar = true)`);
      case "parquet":
        return (await selected(`select * from '${path}'`)).map((row) =>
          row.map((cell) =>
            cell instanceof DuckDBTimestampValue ? Number(cell.micros) / 1_000 : cell,
          ),
        );
      case "xlsx":
      case "xlsx-raw":
        // A day in Excel is a double, so instants are accurate only to a millisecond.
        return (await readSheet(bytes))
          .slice(1)
          .map((row) =>
            row.map((cell) =>
              cell instanceof Date ? new Date(Math.round(cell.getTime() / 1_000) * 1_000) : cell,
            ),
          );
      case "arrow": {
        const table = tableFromIPC(bytes);
        return table.toArray().map((row) => [...row].map(([, cell]) => cell as unknown));
      }
      case "json":
        return (JSON.parse(bytes.toString()) as { data: unknown[][] }).data;
    }
  };

  test("DuckDB, an XLSX reader and Arrow read equal cells from the exported files of the same rows", async () => {
    const answer = await answered(everything());
    assert.is(answer.length, rows.length);
    const instant = (cell: unknown) => (cell === null ? null : Date.parse(String(cell)));
    const clock = (cell: unknown) =>
      cell === null ? null : String(cell).slice(0, 19).replace("T", " ");
    const guard = (cell: unknown) => (/^[=+\-@]/.test(String(cell)) ? `'${String(cell)}` : cell);
    const text = (cell: unknown) => (cell === null ? null : String(cell));
    const expected: Record<(typeof formats)[number], (row: unknown[]) => unknown[]> = {
      csv: ([name, at, km]) => [guard(name), clock(at), text(km)],
      "csv-raw": ([name, at, km]) => [name, at, text(km)],
      xlsx: ([name, at, km]) => [name, at === null ? null : new Date(String(at)), km],
      "xlsx-raw": (row) => row,
      parquet: ([name, at, km]) => [name, instant(at), km],
      arrow: ([name, at, km]) => [name, instant(at), km],
      json: (row) => row,
    };
    for (const format of formats) {
      const { status, headers, bytes } = await send("dataexport", {
        type: format,
        query: everything(),
      });
      assert.is(status, 200, `${format}: ${bytes.toString()}`);
      assert.match(headers.get("content-disposition") ?? "", "attachment");
      assert.equal(await read(format, bytes), answer.map(expected[format]), format);
    }
  });

  test("a CSV export shows local times, unless it is raw, and distinguishes an empty string from null", async () => {
    const query = {
      ...everything(),
      where: [{ expression: "? = ?", parameters: [reference("name"), "north"] }],
    };
    const csv = await exported({ type: "csv", query, timezone_id: "Asia/Tokyo" });
    assert.is(csv.toString(), "\ufeffname,at,km\r\nnorth,2001-07-02 07:30:00,1.5\r\n");
    const raw = await exported({ type: "csv-raw", query, timezone_id: "Asia/Tokyo" });
    assert.is(raw.toString(), "name,at,km\r\nnorth,2001-07-01T22:30:00.000Z,1.5\r\n");
    const [row] = await read(
      "xlsx",
      await exported({ type: "xlsx", query, timezone_id: "Asia/Tokyo" }),
    );
    assert.equal(row?.[1], new Date("2001-07-02T07:30:00.000Z"));
  });

  /** Creates a dashboard with a bar chart, a text item, and an item that refers to a missing column. */
  const makeDashboard = async (of: Dataset, category: string, by = people.owner) => {
    const slot = (name: string, column: string, type: string) => ({
      name,
      content: [{ columnId: of.columns[column] ?? column, datasetId: of.id, type }],
    });
    const items = [
      {
        id: "bars",
        type: "bar-chart",
        position: { col: 0, row: 0, sizeX: 24, sizeY: 20 },
        slots: [slot("y-axis", category, "hierarchy"), slot("measure", "km", "numeric")],
      },
      {
        id: "words",
        type: "text",
        position: { col: 24, row: 0, sizeX: 24, sizeY: 10 },
        options: { html: { en: "<h1>Words</h1>" } },
      },
      {
        id: "broken",
        type: "bar-chart",
        position: { col: 24, row: 10, sizeX: 24, sizeY: 10 },
        slots: [slot("measure", randomUUID(), "numeric")],
      },
    ];
    const contents = {
      version: "0.1.99",
      views: [{ screenModus: "desktop", items, filterGroups: [] }],
    };
    const { id } = await by.create<{ id: string }>("securable", {
      type: "dashboard",
      name: { en: "Board" },
      contents,
    });
    return id;
  };

  test("an item can be exported as a picture in four formats, and its rows as a file", async () => {
    const securable_id = await makeDashboard(dataset, "name");
    const item = { securable_id, item_id: "bars" };
    const svg = await exported({ ...item, type: "svg", width: 400, height: 300 });
    assert.match(svg.toString(), /^<svg [^>]*width="400" height="300"/);
    assert.match(svg.toString(), "&lt;b&gt;&amp;ë 漢");
    const png = await exported({ ...item, type: "png", width: 400, height: 300, scale: 2 });
    assert.is(png.toString("latin1", 1, 4), "PNG");
    assert.equal([png.readUInt32BE(16), png.readUInt32BE(20)], [800, 600]);
    const base64 = await exported({ ...item, type: "base64", width: 400, height: 300, scale: 2 });
    assert.equal(Buffer.from(base64.toString(), "base64"), png);
    const pdf = await exported({ ...item, type: "pdf", width: 400, height: 300 });
    assert.is(pdf.toString("latin1", 0, 5), "%PDF-");
    const csv = await read("csv", await exported({ ...item, type: "csv" }));
    assert.is(csv.length, rows.length);
  });

  test("a dashboard is exported as one picture, which shows the reason in place of an item that failed", async () => {
    const securable_id = await makeDashboard(dataset, "name");
    const svg = (
      await exported({ securable_id, type: "svg", width: 1_000, theme: "dark" })
    ).toString();
    assert.match(svg, "<title>Board</title>");
    assert.match(svg, ">Words</text>");
    assert.match(svg, /names a column/);
    const pdf = await exported({ securable_id, type: "pdf", width: 1_000 });
    assert.is(pdf.toString("latin1", 0, 5), "%PDF-");
    assert.match(pdf.toString("latin1"), "%%EOF");
  });

  test("files contain what a reader chose: filters and levels of items, and values of parameters", async () => {
    const slot = (name: string, column: string, more: Json) => ({
      name,
      content: [{ columnId: dataset.columns[column], datasetId: dataset.id, ...more }],
    });
    const bars = (id: string, by: Json, col: number) => ({
      id,
      type: "bar-chart",
      position: { col, row: 0, sizeX: 24, sizeY: 20 },
      slots: [by, slot("measure", "km", { type: "numeric" })],
    });
    const ofName = { column_id: dataset.columns["name"], dataset_id: dataset.id };
    const { id: securable_id } = await people.owner.create<{ id: string }>("securable", {
      type: "dashboard",
      name: { en: "Board" },
      contents: {
        version: "0.1.99",
        filterGroups: [
          {
            origin: "global",
            condition: "and",
            filters: [
              {
                expression: "? != ?",
                parameters: [
                  ofName,
                  { parameter: "metadata.hidden", type: "hierarchy", value: "-" },
                ],
              },
            ],
          },
        ],
        views: [
          {
            screenModus: "desktop",
            items: [
              bars("names", slot("y-axis", "name", { type: "hierarchy" }), 0),
              bars("times", slot("y-axis", "at", { type: "datetime", level: 1 }), 24),
            ],
          },
          {
            screenModus: "mobile",
            items: [bars("small", slot("y-axis", "name", { type: "hierarchy" }), 0)],
          },
        ],
      },
    });
    const where = [{ expression: "? in ?", parameters: [ofName, ["north", "-7"]] }];
    const drawn = async (more: Json) =>
      String(await exported({ securable_id, type: "svg", ...more }));
    const stored = await drawn({});
    const chosen = await drawn({ items: { names: { where } }, parameters: { hidden: "-7" } });
    assert.match(stored, ">-7<");
    assert.match(chosen, ">north<");
    assert.not.match(chosen, ">-7<");
    assert.not.match(chosen, ">=1+1<");
    const csv = async (more: Json) =>
      read("csv", await exported({ securable_id, type: "csv", ...more }));
    assert.is((await csv({ item_id: "names", items: { names: { where } } })).length, 2);
    const years = await csv({ item_id: "times" });
    const months = await csv({ item_id: "times", items: { times: { level: 3, where: [] } } });
    assert.equal([years.length, months.length], [3, 4]);
    assert.is((await csv({ item_id: "small", screenmode: "mobile" })).length, rows.length);
    const { status } = await send("export", { securable_id, type: "svg", items: { other: {} } });
    assert.is(status, 404);
  });

  test("a picture that is too large fails with 413 in every format, and items at unusual positions are drawn", async () => {
    const boardWith = async (...positions: Json[]) => {
      const items = positions.map((position, index) => ({
        id: `t${index}`,
        type: "text",
        options: { html: { en: "<p>words</p>" } },
        slots: [],
        position,
      }));
      const views = [{ screenModus: "desktop", items, filterGroups: [] }];
      const { id } = await people.owner.create<{ id: string }>("securable", {
        type: "dashboard",
        name: { en: "Large" },
        contents: { version: "0.1.99", views },
      });
      return id;
    };
    const place = { row: 0, col: 0, sizeX: 24, sizeY: 20 };
    const said = async (properties: Json, by?: Person) => {
      const { status, bytes } = await send("export", properties, by);
      if (status === 200) return "200";
      const { type } = JSON.parse(bytes.toString()) as { type: { code: string } };
      return `${status} ${type.code}`;
    };
    const tooLarge = "413 EXPORT_TOO_LARGE";
    const types = ["png", "pdf", "svg"];
    for (const position of [
      { ...place, row: 1e9 },
      { ...place, row: 1e308 },
      { ...place, row: 2_001 },
      { ...place, sizeY: 1e9 },
      { ...place, sizeY: 401 },
    ]) {
      const securable_id = await boardWith(position);
      for (const type of rounds({ quick: types.slice(0, 1), deep: types }))
        assert.is(
          await said({ securable_id, type }),
          tooLarge,
          `${type} ${JSON.stringify(position)}`,
        );
    }
    const long = await boardWith({ ...place, row: 1_500 });
    const forms: readonly (readonly [Json, string])[] = [
      [{ type: "png" }, tooLarge],
      [{ type: "pdf", paper: "fit" }, tooLarge],
      [{ type: "pdf" }, "200"],
      [{ type: "png", scale: 1, width: 320 }, "200"],
      [{ type: "svg" }, "200"],
      [{ type: "png", scale: 4, width: 4_000 }, tooLarge],
    ];
    for (const [form, outcome] of forms)
      assert.is(await said({ securable_id: long, ...form }), outcome, JSON.stringify(form));
    for (const [index, position] of [
      { ...place, row: -1e9, col: -5, sizeX: -1, sizeY: -1e308 },
      { ...place, row: 0.1, col: 47.99, sizeX: 1e9, sizeY: 0.001 },
      { ...place, col: 1e9 },
    ].entries()) {
      const securable_id = await boardWith(position);
      // Every format is drawn from the same scene.
      for (const type of rounds({ quick: types.slice(index, index + 1), deep: types }))
        assert.is(await said({ securable_id, type, scale: 1 }), "200", JSON.stringify(position));
    }
    const item = { securable_id: await boardWith(place), item_id: "t0" };
    for (const type of ["png", "base64"])
      for (const deliver of ["file", "link"])
        assert.is(
          await said({ ...item, type, deliver, width: 4_000, height: 4_000, scale: 2 }),
          tooLarge,
        );
    assert.is(await said({ ...item, type: "pdf", width: 4_000, height: 4_000, scale: 4 }), "200");
    assert.is(await said({ ...item, type: "svg", width: 4_000, height: 4_000, scale: 4 }), "200");
    const many = await boardWith(...Array.from({ length: 201 }, () => place));
    for (const type of types) assert.is(await said({ securable_id: many, type }), tooLarge);
    const large = await boardWith({ ...place, row: 1e9 });
    const token = await people.mint({ access: { dashboards: [{ id: large, rights: "use" }] } });
    assert.is(await said({ securable_id: large, type: "png" }, token), tooLarge);
  });

  test("exported files and pictures contain exactly the rows that the caller may see", async () => {
    const own = await people.push();
    const guest = await people.add("guest");
    const target = { role: "Users", id: guest.id };
    const filter = {
      securable_id: own.id,
      column_id: own.columns["region"],
      expression: "? = ?",
      value: "north",
    };
    const flags = { flagRead: true, flagUse: true };
    await people.owner.associate<object>("securable", own.id, target, {
      ...flags,
      filters: [filter],
    });
    const board = await makeDashboard(own, "region");
    await people.owner.associate("securable", board, target, flags);
    const query = { dimensions: [reference("region", {}, own)], options: { cells: "plain" } };
    assert.equal(await answered(query, guest), [["north"]]);
    for (const format of formats) {
      const bytes = await exported({ type: format, query }, guest);
      assert.equal(await read(format, bytes), [["north"]], format);
    }
    for (const item of [{ item_id: "bars" }, {}]) {
      const shown = (by: Person) =>
        exported({ securable_id: board, ...item, type: "svg" }, by).then(String);
      assert.match(await shown(people.owner), ">south<");
      assert.not.match(await shown(guest), "south");
      assert.match(await shown(guest), ">north<");
    }
    // A filter of the request cannot show rows that the row filter of the share hides.
    const region = { dataset_id: own.id, column_id: own.columns["region"] };
    const all = { expression: "? in ?", parameters: [region, ["north", "south"]] };
    for (const where of [
      [all],
      [{ or: [all, { expression: "? is not null", parameters: [region] }] }],
    ]) {
      const wider = { securable_id: board, items: { bars: { where } } };
      assert.not.match(String(await exported({ ...wider, type: "svg" }, guest)), ">south<");
      const csv = await exported({ ...wider, type: "csv", item_id: "bars" }, guest);
      assert.not.match(csv.toString(), "south");
    }
  });

  test("files name the filters of a request, and have its order of rows", async () => {
    const securable_id = await makeDashboard(dataset, "name");
    const where = [{ expression: "? in ?", parameters: [reference("name"), ["north", "-7"]] }];
    const chosen = { securable_id, items: { bars: { where } } };
    const line = "name: north, -7";
    const drawn = async (more: Json) => String(await exported({ ...chosen, ...more, type: "svg" }));
    assert.match(await drawn({ item_id: "bars" }), `>${line}<`);
    // A filter that applies to only one of several items names it.
    assert.match(await drawn({}), `>km by name: ${line}<`);
    const { headers } = await send("export", { ...chosen, item_id: "bars", type: "csv" });
    assert.equal(JSON.parse(headers.get("x-filters") ?? "[]"), [line]);
    assert.match(headers.get("content-disposition") ?? "", /"km by name \d{4}-\d\d-\d\d\.csv"/);
    const xlsx = await exported({ ...chosen, item_id: "bars", type: "xlsx", locale_id: "de" });
    assert.equal(await readSheet(xlsx, "Notes"), [["km nach name"], [`Filter: ${line}`]]);
    for (const order of ["asc", "desc"]) {
      const items = { bars: { where, sort: { cell: 1, order } } };
      const bytes = await exported({ securable_id, items, item_id: "bars", type: "csv-raw" });
      const names = (await read("csv-raw", bytes)).map(([name]) => name);
      assert.equal(names, order === "asc" ? ["-7", "north"] : ["north", "-7"]);
    }
    const refused = await send("export", {
      securable_id,
      item_id: "bars",
      type: "csv",
      items: { bars: { sort: { cell: -1 } } },
    });
    assert.is(refused.status, 400);
    assert.match(refused.bytes.toString(), "items.bars.sort.cell");
  });

  test("a CSV file in the dialect of a language has its decimal mark, and semicolons if that is a comma", async () => {
    const query = {
      ...everything(),
      where: [{ expression: "? = ?", parameters: [reference("name"), "north"] }],
    };
    const csv = async (more: Json) =>
      String(await exported({ type: "csv", query, csv_dialect: "locale", ...more }));
    const at = "2001-07-01 22:30:00";
    assert.is(await csv({ locale_id: "de-DE" }), `\ufeffname;at;km\r\nnorth;${at};1,5\r\n`);
    assert.is(await csv({ locale_id: "en-GB" }), `\ufeffname,at,km\r\nnorth,${at},1.5\r\n`);
    assert.is(await csv({}), `\ufeffname,at,km\r\nnorth,${at},1.5\r\n`);
  });

  test("exporting another person's dashboard or a missing item fails with the error for an unknown id", async () => {
    const board = await makeDashboard(dataset, "name");
    const stranger = await people.add("stranger");
    const said = async (securable_id: string, by: Person, item_id = "bars") => {
      const { status, bytes } = await send("export", { securable_id, item_id, type: "csv" }, by);
      const body = JSON.parse(bytes.toString()) as Json;
      return [status, String(body["message"]).replace(securable_id, "ID")];
    };
    assert.equal(await said(board, stranger), await said(randomUUID(), stranger));
    assert.is((await said(board, stranger))[0], 404);
    assert.equal(await said(dataset.id, people.owner), await said(randomUUID(), people.owner));
    assert.is((await said(board, people.owner, "nothing"))[0], 404);
    const { status } = await send("export", { type: "csv", query: everything() }, stranger);
    assert.is(status, 404);
  });

  test("an invalid property of an export fails, and the error names the member", async () => {
    const board = await makeDashboard(dataset, "name");
    const cases: readonly (readonly [Json, string])[] = [
      [{ type: "exe", query: everything() }, "properties.type"],
      [{ type: "csv" }, "properties.query"],
      [{ query: everything(), securable_id: board }, "properties.query"],
      [{ type: "png", query: everything() }, "properties.type"],
      [{ type: "csv", securable_id: board }, "properties.item_id"],
      [{ type: "csv", securable_id: "x", item_id: "y" }, "properties.securable_id"],
      [{ type: "png", securable_id: board, width: 1e9 }, "properties.width"],
      [{ type: "png", securable_id: board, theme: "pink" }, "properties.theme"],
      [{ type: "svg", securable_id: board, items: { bars: { where: "x" } } }, "items.bars.where"],
      [{ type: "svg", securable_id: board, items: { bars: { level: 0 } } }, "items.bars.level"],
      [{ type: "svg", securable_id: board, items: { bars: { rows: [] } } }, "items.bars.rows"],
      [{ type: "svg", securable_id: board, items: [] }, "properties.items"],
      [{ type: "svg", securable_id: board, parameters: 7 }, "properties.parameters"],
      [{ type: "svg", securable_id: board, screenmode: "tv" }, "properties.screenmode"],
      [{ type: "csv", query: everything(), items: {} }, "properties.items"],
      [{ type: "csv", query: everything(), timezone_id: "Mars" }, "properties.timezone_id"],
      [{ type: "csv", query: everything(), locale_id: 7 }, "properties.locale_id"],
      [{ type: "csv", query: everything(), file: "/etc/passwd" }, "properties.file"],
      [{ type: "csv", query: { queries: [everything(), everything()] } }, "queries"],
    ];
    for (const [properties, member] of cases) {
      const { status, bytes } = await send("export", properties);
      assert.is(status, 400, `${member}: ${bytes.toString().slice(0, 300)}`);
      assert.match((JSON.parse(bytes.toString()) as { message: string }).message, member);
    }
    const { status } = await send("dataexport", { type: "png", securable_id: board });
    assert.is(status, 400);
  });
});
