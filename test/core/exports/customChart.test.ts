import { readSheet } from "read-excel-file/node";
import * as assert from "uvu/assert";
import { suite } from "../../support/suite.ts";
import { openPeople, type Dataset, type People, type Person } from "../openPeople.ts";
import { readPdf } from "./pictures/readPdf.ts";

type Json = Readonly<Record<string, unknown>>;

suite("core/exports, items of a custom chart", (test) => {
  let people: People;
  let dataset: Dataset;
  let guest: Person;
  let board: string;
  test.before(async () => {
    people = await openPeople();
    dataset = await people.push();
    const { id: customChartId } = await people.owner.create<{ id: string }>("customchart", {
      name: { en: "Own" },
      type: "own",
      script: "manifold.draw = () => {};",
    });
    const field = (name: string, more: Json) => ({
      datasetId: dataset.id,
      columnId: dataset.columns[name],
      label: { en: name },
      ...more,
    });
    const item = {
      id: "own",
      type: "custom-chart",
      options: { customChartId, title: { en: "By region" } },
      position: { col: 0, row: 0, sizeX: 48, sizeY: 20 },
      slots: [
        { name: "anything", content: [field("region", { type: "hierarchy" })] },
        { name: "size", content: [field("km", { type: "numeric", aggregationFunc: "sum" })] },
      ],
    };
    const created = await people.owner.create<{ id: string }>("securable", {
      type: "dashboard",
      name: { en: "Own charts" },
      contents: { version: "0.1.99", views: [{ screenModus: "desktop", items: [item] }] },
    });
    board = created.id;
    guest = await people.add("guest");
    const target = { role: "Users", id: guest.id };
    const flags = { flagRead: true, flagUse: true };
    const filter = {
      securable_id: dataset.id,
      column_id: dataset.columns["region"],
      expression: "? = ?",
      value: "north",
    };
    await people.owner.associate<object>("securable", dataset.id, target, {
      ...flags,
      filters: [filter],
    });
    await people.owner.associate("securable", board, target, flags);
  });
  test.after(() => people?.close());

  async function exported(type: string, { pair }: Person): Promise<Buffer> {
    const answer = await fetch(`${people.host.url}/0.1.0/export`, {
      method: "POST",
      headers: { "Content-Type": "application/json" },
      body: JSON.stringify({
        action: "create",
        version: "0.1.0",
        ...pair,
        properties: { type, securable_id: board, item_id: "own", width: 600, height: 300 },
      }),
    });
    const bytes = Buffer.from(await answer.arrayBuffer());
    assert.is(answer.status, 200, bytes.toString().slice(0, 300));
    return bytes;
  }
  const answered = async (by: Person) => {
    const reference = (name: string) => ({
      dataset_id: dataset.id,
      column_id: dataset.columns[name],
    });
    const { data } = await by.get<{ data: unknown[][] }>("data", {
      dimensions: [reference("region")],
      measures: [{ ...reference("km"), aggregation: { type: "sum" } }],
      options: { cells: "plain" },
    });
    return data;
  };

  test("the exported rows of a custom chart equal the answer to its item's query with the caller's rights", async () => {
    assert.equal(await answered(guest), [["north", 6]]);
    for (const by of [people.owner, guest]) {
      const rows = await answered(by);
      const csv = (await exported("csv-raw", by)).toString().trim().split("\r\n");
      assert.equal(
        csv.slice(1),
        rows.map((row) => row.join(",")),
      );
      assert.equal((await readSheet(await exported("xlsx", by))).slice(1), rows);
    }
  });

  test("a picture of a custom chart shows its rows as a table, and notes that the chart is not drawn", async () => {
    for (const [by, others] of [
      [people.owner, true],
      [guest, false],
    ] as const) {
      const svg = (await exported("svg", by)).toString();
      assert.match(svg, "charts of this type are not supported (custom-chart)");
      assert.match(svg, ">north<");
      assert.is(svg.includes(">south<"), others);
      const painted = await readPdf(await exported("pdf", by));
      const texts = painted.flatMap((each) => (each.kind === "text" ? each.text : []));
      assert.match(texts.join(" "), "not supported (custom-chart)");
      assert.is(texts.join(" ").includes("south"), others);
      assert.is((await exported("png", by)).toString("latin1", 1, 4), "PNG");
    }
  });

  test("the call that lists custom charts accepts the attributes that existing clients request", async () => {
    const { rows } = await people.owner.get<{ rows: Json[] }>("customchart", {
      attributes: ["id", "name", "type", "status", "slots_config"],
    });
    assert.equal([rows[0]?.["type"], rows[0]?.["slots_config"]], ["own", null]);
  });
});
