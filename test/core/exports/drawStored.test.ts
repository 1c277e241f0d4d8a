import { readSheet } from "read-excel-file/node";
import * as assert from "uvu/assert";
import { suite } from "../../support/suite.ts";
import { openPeople, type People, type Person } from "../openPeople.ts";

type Json = Readonly<Record<string, unknown>>;

suite("core/exports/drawStored", (test) => {
  let people: People;
  let guest: Person;
  let board: string;
  const ids: Record<string, unknown> = {};
  test.before(async () => {
    people = await openPeople();
    const pushed = await people.owner.create<{ rows: { id: string; columns: Json[] }[] }>("data", {
      type: "create",
      data: [
        ["north", "Delta", 1],
        ["north", "United", 2],
        ["north", "United", 9],
        ["south", "Delta", 8],
      ],
      options: { header: ["region", "carrier", "km"] },
    });
    const [made] = pushed.rows;
    for (const { source_name: name, id } of made?.columns ?? []) ids[String(name)] = id;
    ids["dataset"] = made?.id;
    const field = (name: string, type: string, aggregationFunc?: string) => ({
      datasetId: ids["dataset"],
      columnId: ids[name],
      type,
      label: { en: name === "region" ? "Region" : `${name} ${aggregationFunc ?? ""}` },
      ...(aggregationFunc && { aggregationFunc }),
    });
    const table = (id: string, options: Json, content: readonly Json[], row: number) => ({
      id,
      type: "regular-table",
      options,
      position: { col: 0, row, sizeX: 48, sizeY: 16 },
      slots: [{ name: "columns", content }],
    });
    const region = field("region", "hierarchy");
    const content = [
      region,
      field("carrier", "hierarchy"),
      field("km", "numeric", "average"),
      field("carrier", "hierarchy", "distinctcount"),
    ];
    const inSlots = (given: Record<string, Json>) =>
      Object.entries(given).map(([name, each]) => ({ name, content: [each] }));
    const pivot = {
      ...table("pivot", { totals: true }, [], 48),
      type: "pivot-table",
      slots: inSlots({
        row: region,
        column: field("carrier", "hierarchy"),
        measure: field("km", "numeric", "average"),
      }),
    };
    const items = [
      pivot,
      table("totals", { totals: true, limit: { number: 1 } }, content, 0),
      table("plain", { totals: true }, [region, field("km", "numeric")], 16),
      table("grouped", { totals: true }, [region, field("km", "numeric", "sum")], 32),
    ];
    const having = {
      origin: "itemFilter",
      itemId: "grouped",
      condition: "and",
      filters: [
        {
          expression: "? > ?",
          parameters: [
            {
              dataset_id: ids["dataset"],
              column_id: ids["km"],
              aggregation: { type: "sum" },
            },
            1,
          ],
          properties: { type: "having" },
        },
      ],
    };
    const created = await people.owner.create<{ id: string }>("securable", {
      type: "dashboard",
      name: { en: "Tables" },
      contents: {
        version: "0.1.99",
        views: [{ screenModus: "desktop", items, filterGroups: [having] }],
      },
    });
    board = created.id;
    guest = await people.add("guest");
    const target = { role: "Users", id: guest.id };
    const flags = { flagRead: true, flagUse: true };
    const filter = {
      securable_id: ids["dataset"],
      column_id: ids["region"],
      expression: "? = ?",
      value: "north",
    };
    await people.owner.associate<object>("securable", String(ids["dataset"]), target, {
      ...flags,
      filters: [filter],
    });
    await people.owner.associate("securable", board, target, flags);
  });
  test.after(() => people?.close());

  async function exported(type: string, itemId: string, { pair }: Person): Promise<Buffer> {
    const answer = await fetch(`${people.host.url}/0.1.0/export`, {
      method: "POST",
      headers: { "Content-Type": "application/json" },
      body: JSON.stringify({
        action: "create",
        version: "0.1.0",
        ...pair,
        properties: {
          type,
          securable_id: board,
          item_id: itemId,
          ...(type === "svg" && { width: 700 }),
        },
      }),
    });
    const bytes = Buffer.from(await answer.arrayBuffer());
    assert.is(answer.status, 200, bytes.toString());
    return bytes;
  }
  /** Returns the strings in the picture of an item. */
  async function textsOf(itemId: string, person: Person): Promise<string[]> {
    const svg = (await exported("svg", itemId, person)).toString();
    return [...svg.matchAll(/<text[^>]*>([^<]*)</g)].map(([, text]) => text ?? "");
  }
  /** Returns the totals of the table: its measures without its groups, from a direct query. */
  const totalsFor = async (by: Person) => {
    const reference = (name: string, type: string) => ({
      dataset_id: ids["dataset"],
      column_id: ids[name],
      aggregation: { type },
    });
    const measures = [reference("km", "average"), reference("carrier", "distinctcount")];
    return (await by.get<{ data: unknown[][] }>("data", { measures })).data[0];
  };

  test("totals of averages and distinct counts cover all rows that the caller may see", async () => {
    assert.equal(await totalsFor(people.owner), [5, 2]);
    assert.equal(await totalsFor(guest), [4, 2]);
    const [own, others] = [await textsOf("totals", people.owner), await textsOf("totals", guest)];
    assert.ok(own.includes("5"), own.join("|"));
    assert.ok(others.includes("4"), others.join("|"));
    assert.not.ok(others.includes("5"));
    assert.is(own.filter((text) => text === "Total").length, 1);
  });

  test("totals of plain numbers are sums over the rows that the caller may see", async () => {
    const [own, others] = [await textsOf("plain", people.owner), await textsOf("plain", guest)];
    assert.ok(own.includes("20"), own.join("|"));
    assert.ok(others.includes("12"), others.join("|"));
  });

  test("a pivot table has row, column and grand totals over the rows that the reader may see", async () => {
    // In the north, the mean is 1 for Delta, 5.5 for United and 4 for both together. In the south, the mean for Delta
    // is 8. The columns of the table are drawn one after another.
    const own = await textsOf("pivot", people.owner);
    const below = (all: readonly string[], name: string, count: number) =>
      all.slice(all.lastIndexOf(name) + 1, all.lastIndexOf(name) + 1 + count);
    assert.equal(below(own, "Delta", 3), ["4.5", "1", "8"]);
    assert.equal(below(own, "United", 2), ["5.5", "5.5"]);
    assert.equal(below(own, "Total", 3), ["5", "4", "8"]);
    assert.is(own.filter((text) => text === "Total").length, 2);
    const others = await textsOf("pivot", guest);
    assert.equal(below(others, "Delta", 2), ["1", "1"]);
    assert.equal(below(others, "Total", 2), ["4", "4"]);
    assert.not.ok(others.includes("south"));
  });

  test("CSV and XLSX files of a table have totals above the rows, but raw files have no totals", async () => {
    const lines = async (type: string, item: string, by: Person) =>
      (await exported(type, item, by)).toString("utf8").replace("\ufeff", "").split("\r\n");
    const [head, own, first, end] = await lines("csv", "totals", people.owner);
    assert.is(head, "Region,carrier ,km average,carrier distinctcount");
    const [raw] = await lines("csv-raw", "totals", people.owner);
    assert.not.match(raw ?? "", "Region");
    assert.is(own, "Total,,5,2");
    assert.match(first ?? "", /^(north|south),/);
    assert.is(end, "");
    assert.is((await lines("csv", "totals", guest))[1], "Total,,4,2");
    assert.is((await lines("csv-raw", "totals", people.owner)).length, 3);
    assert.is((await lines("csv", "plain", people.owner))[1], "Total,20");
    assert.is((await lines("csv", "grouped", people.owner)).length, 4);

    const sheet = await readSheet(await exported("xlsx", "totals", guest));
    assert.equal(sheet[1], ["Total", null, 4, 2]);
    assert.is(sheet.length, 3);
    assert.is((await readSheet(await exported("xlsx-raw", "totals", guest))).length, 2);
  });

  test("a table with a filter on groups has no totals, and its picture says so", async () => {
    const texts = await textsOf("grouped", people.owner);
    assert.not.ok(texts.includes("Total"));
    assert.match(texts.join("|"), "no totals with a filter on groups");
  });
});
