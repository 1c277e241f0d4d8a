import * as assert from "uvu/assert";
import { suite } from "../../support/suite.ts";
import { fieldOf, itemOf } from "../web/embed/openDashboardHost.ts";
import { openPeople, type Dataset, type People } from "../openPeople.ts";

type Json = Readonly<Record<string, unknown>>;

suite("core/exports: compared periods", (test) => {
  let people: People;
  let dataset: Dataset;
  let board: string;
  const of = (column: string) => ({
    dataset_id: dataset.id,
    column_id: dataset.columns[column],
  });

  test.before(async () => {
    people = await openPeople();
    const pushed = await people.owner.create<{ rows: { id: string; columns: Json[] }[] }>("data", {
      type: "create",
      data: [
        ["2000-03-10T00:00:00.000Z", 10],
        ["2001-01-10T00:00:00.000Z", 20],
        ["2001-02-10T00:00:00.000Z", 30],
        ["2001-03-10T00:00:00.000Z", 60],
      ],
      options: { header: ["at", "km"] },
    });
    const [made] = pushed.rows;
    dataset = {
      id: made!.id,
      columns: Object.fromEntries(
        made!.columns.map(({ source_name: name, id }) => [String(name), String(id)]),
      ),
    };
    const offsetDateColumn = { id: dataset.columns["at"], datasetId: dataset.id };
    const periodOverPeriod = { type: "past", level: 3, quantity: 2, offsetDateColumn };
    const km = fieldOf(dataset, "km", { type: "numeric", aggregationFunc: "sum" });
    const item = itemOf(
      "earlier",
      "regular-table",
      { columns: [km, { ...km, periodOverPeriod }] },
      [0, 0, 12, 12],
    );
    const stored = await people.owner.create<{ id: string }>("securable", {
      type: "dashboard",
      name: { en: "Board" },
      contents: {
        version: "0.1.99",
        views: [{ screenModus: "desktop", items: [item], filterGroups: [] }],
      },
    });
    board = stored.id;
  });
  test.after(() => people?.close());

  const exported = (chosen: Json) =>
    people.call("export", {
      action: "create",
      version: "0.1.0",
      ...people.owner.pair,
      properties: {
        type: "json",
        securable_id: board,
        item_id: "earlier",
        items: { earlier: chosen },
      },
    });
  const march = () => [
    { expression: "? >= ?", parameters: [of("at"), "2001-03-01T00:00:00.000Z"] },
    { expression: "? < ?", parameters: [of("at"), "2001-04-01T00:00:00.000Z"] },
  ];

  test("a file compares a measure with the period that the reader chose", async () => {
    const where = march();
    const compared = async (...compare: readonly Json[]) => {
      const { body } = await exported({ where, ...(compare.length > 0 && { compare }) });
      return body["data"];
    };
    assert.equal(await compared(), [[60, 20]]);
    assert.equal(await compared({ ...of("at"), level: 1 }), [[60, 10]]);
    assert.equal(await compared({ ...of("at"), level: 0, quantity: 1 }), [[60, 30]]);
    assert.equal(await compared({ ...of("at"), level: 3, quantity: 2 }), [[60, 20]]);
  });

  test("an invalid compared period is refused, and the error names the member", async () => {
    const whole = { ...of("at"), level: 1, quantity: 1 };
    const cases: readonly (readonly [unknown, string])[] = [
      ["year", "compare"],
      [["year"], "compare[0]"],
      [[{ ...whole, dataset_id: 7 }], "compare[0].dataset_id"],
      [[{ ...whole, column_id: "at" }], "compare[0].column_id"],
      [[{ ...whole, level: 9 }], "compare[0].level"],
      [[{ ...whole, level: undefined }], "compare[0].level"],
      [[{ ...whole, quantity: 0 }], "compare[0].quantity"],
      [[whole, { ...whole, unit: "year" }], "compare[1].unit"],
    ];
    for (const [compare, member] of cases) {
      const { status, body } = await exported({ compare });
      assert.is(status, 400, member);
      assert.ok(String(body["message"]).includes(`properties.items.earlier.${member}`), member);
    }
  });
});
