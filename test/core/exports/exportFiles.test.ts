// This file costs more than three seconds, because it draws pictures and writes files in several formats, twice each.
import { randomUUID } from "node:crypto";
import { readdir, truncate, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { tableFromIPC } from "apache-arrow";
import { readSheet } from "read-excel-file/node";
import * as assert from "uvu/assert";
import { createClient } from "../../../core/web/client/index.ts";
import { openHost } from "../../../core/host.ts";
import { openTestCatalog } from "../../support/catalog.ts";
import { createRandom, withSeed, type Random } from "../../support/random.ts";
import { rounds } from "../../support/layer.ts";
import { suite } from "../../support/suite.ts";
import { openPeople, type Dataset, type People, type Person } from "../openPeople.ts";
import { testOptions } from "../../support/openTestHost.ts";

type Json = Readonly<Record<string, unknown>>;

const items = ["bar-chart", "donut-chart", "slicer"];
/** The picture formats, each with the items to draw. Undefined stands for the whole dashboard. */
const pictures = rounds<readonly (readonly [string, readonly (string | undefined)[]])[]>({
  // Every format draws the same scene as the SVG.
  quick: [
    ["svg", [...items, undefined]],
    ["png", [items[0]]],
  ],
  deep: [
    ["svg", [...items, undefined]],
    ["png", [...items, undefined]],
    ["base64", items],
    ["pdf", [...items, undefined]],
  ],
});
const fileTypes = ["csv-raw", "xlsx", "arrow"];
/** The formats of files. The tests of exports compare every format with the rows that the caller may see. */
const formats = rounds({
  quick: fileTypes,
  deep: [...fileTypes, "csv", "xlsx-raw", "parquet", "json"],
});
const regions = ["north", "south", "east", "west", "centre", "=SUM(A1)"];

suite("core/host and files of exports", (test) => {
  let people: People;
  const dataDir = mkdtempSync(join(tmpdir(), "manifold-files-"));
  let aheadMs = 0;
  const settings = {
    dataDir,
    exportCells: 1_000,
    exportMb: 1,
    exportHours: 24,
    callsPerSecond: 0,
    tokenNow: () => Date.now() + aheadMs,
  };
  test.before(async () => {
    people = await openPeople(settings);
  });
  test.after(async () => {
    await people?.close();
    rmSync(dataDir, { recursive: true, force: true });
  });

  const send = async (by: Person, properties: Json, resource = "export") => {
    const answer = await fetch(`${people.host.url}/0.1.0/${resource}`, {
      method: "POST",
      body: JSON.stringify({ action: "create", version: "0.1.0", ...by.pair, properties }),
      headers: { "Content-Type": "application/json" },
    });
    return { status: answer.status, bytes: Buffer.from(await answer.arrayBuffer()) };
  };
  const jsonOf = (bytes: Buffer) => JSON.parse(bytes.toString()) as Json;
  const push = async (data: unknown[][]): Promise<Dataset> => {
    const pushed = await people.owner.create<{ rows: { id: string; columns: Json[] }[] }>("data", {
      type: "create",
      data,
      options: { header: ["region", "km"] },
    });
    const [made] = pushed.rows;
    const columns = (made?.columns ?? []).map((column) => [column["source_name"], column["id"]]);
    return { id: made!.id, columns: Object.fromEntries(columns) };
  };
  const queryOf = ({ id, columns }: Dataset) => ({
    dimensions: [{ dataset_id: id, column_id: columns["region"] }],
    measures: [{ dataset_id: id, column_id: columns["km"] }],
    options: { rollup_data: false, cells: "plain" },
  });
  const makeDashboard = async ({ id, columns }: Dataset): Promise<string> => {
    const slot = (name: string, column: string, type: string) => ({
      name,
      content: [{ columnId: columns[column], datasetId: id, type }],
    });
    const item = (type: string, row: number, slots: Json[]) => ({
      id: type,
      type,
      position: { col: 0, row, sizeX: 48, sizeY: 16 },
      slots,
    });
    const items = [
      item("bar-chart", 0, [
        slot("y-axis", "region", "hierarchy"),
        slot("measure", "km", "numeric"),
      ]),
      item("donut-chart", 16, [
        slot("category", "region", "hierarchy"),
        slot("measure", "km", "numeric"),
      ]),
      item("slicer", 32, [slot("dimension", "region", "hierarchy")]),
    ];
    const contents = { version: "0.1.99", views: [{ screenModus: "desktop", items }] };
    const made = await people.owner.create<{ id: string }>("securable", {
      type: "dashboard",
      name: { en: "Board" },
      contents,
    });
    return made.id;
  };
  const mint = (dataset: Dataset, board: string, more: Json = {}) =>
    people.mint({
      username: `u-${randomUUID()}`,
      access: {
        datasets: [{ id: dataset.id, rights: "use" }],
        dashboards: [{ id: board, rights: "read" }],
      },
      ...more,
    });
  /** Removes the creation time of a PDF, and the id that depends on it. */
  const undated = (pdf: Buffer) =>
    pdf
      .toString("latin1")
      .replace(/\(D:\d{14}Z\)/g, "")
      .replace(/\/ID [^\n]*/g, "");

  const check = async (random: Random): Promise<void> => {
    const rows = Array.from({ length: 20 + random.below(40) }, () => [
      random.pick(regions),
      1 + random.below(100),
    ]);
    const allowed = [...regions.filter(() => random.chance(0.5)), String(rows[0]?.[0])];
    const mine = rows.filter(([region]) => allowed.includes(String(region)));
    const [dataset, twin] = [await push(rows), await push(mine)];
    const [board, twinBoard] = [await makeDashboard(dataset), await makeDashboard(twin)];
    const filter = {
      clause: "where",
      origin: "global",
      securable_id: dataset.id,
      column_id: dataset.columns["region"],
      expression: "? in ?",
      value: allowed,
    };
    const token = await mint(dataset, board, { filters: [filter] });
    for (const type of formats) {
      const [one, other] = [
        await send(token, { type, query: queryOf(dataset) }, "dataexport"),
        await send(people.owner, { type, query: queryOf(twin) }, "dataexport"),
      ];
      assert.equal([one.status, other.status], [200, 200], `${type}: ${one.bytes.toString()}`);
      // Apart from its data, a JSON answer contains durations, which differ. Ids of datasets must not occur in any
      // file.
      if (type === "json") assert.equal(jsonOf(one.bytes)["data"], jsonOf(other.bytes)["data"]);
      else assert.is(await contentOf(type, one.bytes), await contentOf(type, other.bytes), type);
      if (type !== "arrow") continue;
      for (const region of regions.filter((each) => !allowed.includes(each)))
        assert.not(one.bytes.includes(region), `no dictionary holds ${region}`);
    }
    for (const [type, item_ids] of pictures)
      for (const item_id of item_ids) {
        const picture = { type, ...(item_id && { item_id }), width: 600, height: 300, scale: 1 };
        const one = await send(token, { ...picture, securable_id: board });
        const other = await send(people.owner, { ...picture, securable_id: twinBoard });
        assert.equal([one.status, other.status], [200, 200], one.bytes.toString().slice(0, 300));
        const isSame =
          type === "pdf"
            ? undated(one.bytes) === undated(other.bytes)
            : one.bytes.equals(other.bytes);
        assert.ok(isSame, `${type} of ${item_id ?? "the dashboard"}`);
      }
  };
  /**
   * Reads the content of a file as other programs do. Ignores the creation times in an archive and the durations in an
   * Arrow answer.
   */
  const contentOf = async (type: string, bytes: Buffer) => {
    if (type.startsWith("xlsx")) return JSON.stringify(await readSheet(bytes));
    return type === "arrow" ? tableFromIPC(bytes).toString() : bytes.toString("base64");
  };

  test("an export with a token equals an export of a dataset that contains only the token's rows", async () => {
    const random = createRandom();
    await withSeed(random, async () => {
      for (let round = 0; round < rounds({ quick: 1, deep: 3, soak: 12 }); round++)
        await check(random);
    });
  });

  test("a token without `flag_export` cannot export, and the error names the flag", async () => {
    const dataset = await people.push();
    const board = await makeDashboard(dataset);
    const barred = await mint(dataset, board, { feature_overrides: ["flag_x", "!flag_export"] });
    const query = queryOf(dataset);
    for (const deliver of [undefined, "file", "link"])
      for (const resource of ["export", "dataexport"]) {
        const { status, bytes } = await send(barred, { query, deliver }, resource);
        assert.is(status, 403);
        assert.match(String(jsonOf(bytes)["message"]), "!flag_export");
      }
    const again = await mint(dataset, board, {
      feature_overrides: ["!flag_export", "flag_export"],
    });
    assert.is((await send(again, { query })).status, 403);
    const other = await mint(await people.push(), await makeDashboard(dataset));
    assert.is((await send(other, { query })).status, 404);
    assert.is((await send(other, { type: "csv", query, deliver: "link" })).status, 202);
  });

  const find = async (by: Person, id?: unknown) => {
    const { rows } = await by.get<{ rows: Json[] }>(
      "export",
      id === undefined ? {} : { where: { id } },
    );
    return rows;
  };
  /** Waits until a job has ended. It polls the job as a client does. */
  const ended = async (by: Person, id: unknown): Promise<Json> => {
    for (;;) {
      const [job] = await find(by, id);
      assert.ok(job, "the job is there");
      if (job["status"] === "done" || job["status"] === "failed") return job;
      await new Promise((resolve) => void setTimeout(resolve, 100));
    }
  };
  const large = async (count: number, suffix = "") =>
    push(Array.from({ length: count }, (_, row) => [`${regions[row % 5]}${suffix}`, row]));
  const opened = async (url: unknown) => {
    const answer = await fetch(String(url));
    return {
      status: answer.status,
      headers: answer.headers,
      bytes: Buffer.from(await answer.arrayBuffer()),
    };
  };
  const files = () => readdir(join(dataDir, "exports"));

  test("a job writes large files and files with `deliver: link`, and the link returns the whole file", async () => {
    const dataset = await large(600);
    const query = queryOf(dataset);
    const small = await send(people.owner, { type: "csv", query: { ...query, limit: { by: 10 } } });
    assert.is(small.status, 200);
    const refused = await send(people.owner, { type: "csv", query, deliver: "file" });
    assert.is(refused.status, 413);
    assert.match(String(jsonOf(refused.bytes)["message"]), "1200 cells");
    for (const deliver of [undefined, "link"]) {
      const { status, bytes } = await send(people.owner, { type: "csv-raw", query, deliver });
      assert.is(status, 202);
      const accepted = jsonOf(bytes);
      assert.is(accepted["url"], null);
      const job = await ended(people.owner, accepted["id"]);
      assert.equal([job["status"], job["cell_count"]], ["done", 1_200]);
      const file = await opened(job["url"]);
      assert.is(file.status, 200);
      assert.match(
        file.headers.get("content-disposition") ?? "",
        /filename="export \d{4}-\d\d-\d\d\.csv"/,
      );
      assert.is(file.headers.get("cache-control"), "no-store");
      assert.is(file.headers.get("set-cookie"), null);
      assert.is(file.bytes.length, job["size_bytes"]);
      assert.is(file.bytes.toString().split("\r\n").length, 602);
    }
    const board = await makeDashboard(dataset);
    const { bytes } = await send(people.owner, {
      type: "pdf",
      securable_id: board,
      deliver: "link",
    });
    const pdf = await opened((await ended(people.owner, jsonOf(bytes)["id"]))["url"]);
    assert.is(pdf.bytes.toString("latin1", 0, 5), "%PDF-");
  });

  test("an export link stops working when the link expires, or when its token or file is deleted", async () => {
    const dataset = await people.push();
    const board = await makeDashboard(dataset);
    const token = await mint(dataset, board);
    const job = async (by: Person) => {
      const { bytes } = await send(by, { type: "csv", query: queryOf(dataset), deliver: "link" });
      return ended(by, jsonOf(bytes)["id"]);
    };
    const [one, other, kept] = [await job(token), await job(people.owner), await job(people.owner)];
    assert.is((await opened(one["url"])).status, 200);
    const said = async (url: unknown) => {
      const { status, bytes } = await opened(url);
      return [status, (jsonOf(bytes)["type"] as Json)["code"], jsonOf(bytes)["message"]];
    };
    const wrong = await said(`${people.host.url}/exports/x`);
    assert.equal(wrong.slice(0, 2), [404, "EXPORT_LINK_ENDED"]);
    await people.owner.delete("authorization", token.pair.key);
    assert.equal(await said(one["url"]), wrong);
    await people.owner.delete("export", String(other["id"]));
    assert.equal(await said(other["url"]), wrong);
    // The seal covers every character of the link, so changing any character makes it invalid.
    const url = String(kept["url"]);
    const at = url.length - 5;
    const changed = url.slice(0, at) + (url[at] === "A" ? "B" : "A") + url.slice(at + 1);
    assert.equal(await said(changed), wrong);
    assert.equal(await said(`${url}A`), wrong);
    assert.is((await opened(url)).status, 200);
    const hourMs = 3_600_000;
    aheadMs = 23.9 * hourMs;
    assert.is((await opened(url)).status, 200);
    aheadMs = 24.1 * hourMs;
    assert.equal(await said(url), wrong);
    assert.equal(await find(people.owner, kept["id"]), []);
    aheadMs = 0;
    const names = await files();
    assert.ok(names.includes(String(kept["id"])));
    assert.not(names.includes(String(other["id"])));
    // A file that is shorter than when it was written counts as lost and is not sent.
    await truncate(join(dataDir, "exports", String(kept["id"])), 3);
    assert.equal((await said(url)).slice(0, 2), [404, "EXPORT_FILE_LOST"]);
  });

  test("callers see only their own exports", async () => {
    const dataset = await people.push();
    const board = await makeDashboard(dataset);
    const [one, other] = [await mint(dataset, board), await mint(dataset, board)];
    const stranger = await people.add(`stranger-${randomUUID()}`);
    const { bytes } = await send(one, { type: "csv", query: queryOf(dataset), deliver: "link" });
    const { id } = jsonOf(bytes);
    await ended(one, id);
    assert.is((await find(one)).length, 1);
    for (const by of [other, stranger, people.owner]) {
      assert.equal(await find(by, id), []);
      const gone = await people.call("export", { action: "delete", ...by.pair, id });
      const random = await people.call("export", {
        action: "delete",
        ...by.pair,
        id: randomUUID(),
      });
      assert.equal([gone.status, random.status], [404, 404]);
    }
  });

  test("an export job that fails, even for lack of disk space, records the reason and leaves no file", async () => {
    const dataset = await large(5_100, " of a long name".repeat(6));
    const query = queryOf(dataset);
    const names = await files();
    const missing = { ...query, dimensions: [{ ...query.dimensions[0], column_id: randomUUID() }] };
    const { bytes } = await send(people.owner, { type: "csv", query: missing, deliver: "link" });
    const failed = await ended(people.owner, jsonOf(bytes)["id"]);
    assert.equal([failed["status"], failed["url"]], ["failed", null]);
    assert.match(String(failed["failure"]), "column");
    // A limit of 1 MiB has space for one file of half a megabyte. The next file fails, and its bytes are removed.
    let full: Json | undefined;
    for (let count = 0; count < 12 && !full; count++) {
      const accepted = await send(people.owner, { type: "csv-raw", query, deliver: "link" });
      const job = await ended(people.owner, jsonOf(accepted.bytes)["id"]);
      if (job["status"] === "failed") full = job;
    }
    assert.match(String(full?.["failure"]), "1 MiB");
    const left = await files();
    assert.not(left.some((name) => name.endsWith(".part")));
    assert.not(left.includes(String(full?.["id"])));
    for (const job of await find(people.owner))
      await people.owner.delete("export", String(job["id"]));
    assert.ok((await files()).length <= names.length);
    const accepted = await send(people.owner, { type: "csv-raw", query, deliver: "link" });
    assert.is((await ended(people.owner, jsonOf(accepted.bytes)["id"]))["status"], "done");
  });

  test("after a restart, export files and links still work, and files without a record are removed", async () => {
    const folder = mkdtempSync(join(tmpdir(), "manifold-restart-"));
    const catalog = await openTestCatalog();
    const start = () =>
      openHost({
        ...testOptions,
        dataDir: folder,
        databaseUrl: catalog.databaseUrl,
      });
    let host = await start();
    try {
      const { key = "", token = "" } = host.madeCredentials ?? {};
      const client = createClient({ url: host.url, key, token });
      const pushed = await client.create<{ rows: { id: string; columns: Json[] }[] }>("data", {
        type: "create",
        data: [["north"]],
        options: { header: ["region"] },
      });
      const [made] = pushed.rows;
      const dimensions = [{ dataset_id: made?.id, column_id: made?.columns[0]?.["id"] }];
      const query = { dimensions, options: { cells: "plain" } };
      const { id } = await client.create<{ id: string }>("export", {
        type: "csv-raw",
        query,
        deliver: "link",
      });
      let url: unknown = null;
      while (url === null) {
        const { rows } = await client.get<{ rows: Json[] }>("export", { where: { id } });
        assert.is.not(rows[0]?.["status"], "failed");
        url = rows[0]?.["url"];
        await new Promise((resolve) => void setTimeout(resolve, 20));
      }
      await host.close();
      const written = join(folder, "exports");
      await writeFile(join(written, randomUUID()), "of nobody");
      await writeFile(join(written, `${id}.part`), "of a host that died");
      host = await start();
      assert.equal(await readdir(written), [id]);
      const answer = await fetch(new URL(new URL(String(url)).pathname, host.url));
      assert.equal([answer.status, await answer.text()], [200, "region\r\nnorth\r\n"]);
    } finally {
      await host.close();
      await catalog.close();
      rmSync(folder, { recursive: true, force: true });
    }
  });

  test("a picture has the dashboard's look, labels, language and time zone, unless the token overrides them", async () => {
    const pushed = await people.owner.create<{ rows: { id: string; columns: Json[] }[] }>("data", {
      type: "create",
      data: [
        ["north", 1, "2001-03-31T23:30:00.000Z"],
        ["south", 2, "2001-04-30T23:30:00.000Z"],
      ],
      options: { header: ["region", "km", "at"] },
    });
    const [made] = pushed.rows;
    const idOf = (name: string) =>
      String(made?.columns.find((column) => column["source_name"] === name)?.["id"]);
    await people.owner.update("hierarchy", idOf("region"), {
      updates: [
        { id: "north", name: { en: "The North", fr: "Le Nord" }, color: "#a1b2c3" },
        { id: "south", name: { en: "The South", fr: "Le Sud" } },
      ],
    });
    const content = (name: string, column: string, type: string, more: Json = {}) => ({
      name,
      content: [{ columnId: idOf(column), datasetId: made!.id, type, ...more }],
    });
    const items = [
      {
        id: "lines",
        type: "column-chart",
        position: { col: 0, row: 0, sizeX: 48, sizeY: 20 },
        slots: [
          content("x-axis", "at", "datetime", { level: 3 }),
          content("legend", "region", "hierarchy"),
          content("measure", "km", "numeric"),
        ],
      },
    ];
    // The value "south" always has the fifth colour of a theme.
    const colors = ["#405060", "#506070", "#607080", "#708090", "#102030"];
    const look = { type: "light", itemsBackground: "#fffdf5", colors };
    const theme = await people.owner.create<{ id: string }>("theme", {
      name: "Ours",
      theme: look,
    });
    const options = { theme: { id: theme.id } };
    const board = await people.owner.create<{ id: string }>("securable", {
      type: "dashboard",
      name: { en: "Board" },
      contents: { version: "0.1.99", views: [{ screenModus: "desktop", items, options }] },
    });
    const css = ":root { background: #0a0b0c } .item { background: url(https://evil.example) }";
    await people.owner.update("securable", board.id, { css });
    const svgOf = async (by: Person, more: Json = {}) =>
      (await send(by, { type: "svg", securable_id: board.id, ...more })).bytes.toString();
    const own = await svgOf(people.owner);
    for (const shown of ["#fffdf5", "#a1b2c3", "#102030", "#0a0b0c", "The North", "Mar", "2001"])
      assert.match(own, shown);
    assert.not.match(own, "evil");
    const dark = await svgOf(people.owner, { theme: "dark" });
    assert.not.match(dark, "#fffdf5");
    assert.match(dark, "#1d2128");
    const dataset = { id: made!.id, columns: {} };
    const token = await mint(dataset, board.id, {
      locale_id: "fr",
      timezone_id: "Europe/Brussels",
      theme: { type: "dark", itemsBackground: "#101418", mainColor: "#ffcc00" },
      css: ".item { --manifold-series-5: #123abc }",
    });
    const shown = await svgOf(token);
    for (const each of ["#101418", "#123abc", "#a1b2c3", "Le Nord", "Le Sud", "avr", "mai"])
      assert.match(shown, each);
    assert.not.match(shown, "#fffdf5");
    const plain = await mint(dataset, board.id, { theme_id: "orion" });
    assert.match(await svgOf(plain), "#1d2d44");
    const absent = await mint(dataset, board.id, { theme_id: randomUUID() }).catch(() => undefined);
    if (absent) assert.match(await svgOf(absent), "#fffdf5");
  });

  test("invalid values of `deliver` and `find` are refused", async () => {
    const query = queryOf(await people.push());
    const { status, bytes } = await send(people.owner, { query, deliver: "pigeon" });
    assert.is(status, 400);
    assert.match(String(jsonOf(bytes)["message"]), "properties.deliver");
    const absent = { type: "pdf", securable_id: randomUUID(), deliver: "link" };
    assert.is((await send(people.owner, absent)).status, 404);
    for (const [find, member] of [
      [{ where: { id: "x" } }, "find.where.id"],
      [{ where: { status: "done" } }, "find.where.status"],
    ] as const) {
      const found = await people.call("export", { action: "get", ...people.owner.pair, find });
      assert.is(found.status, 400);
      assert.match(String(found.body["message"]), member);
    }
  });
});
