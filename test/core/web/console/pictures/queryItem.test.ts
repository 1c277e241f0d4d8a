import * as assert from "uvu/assert";
import { readColumns, readItem } from "../../../../../core/web/charts/index.ts";
import { queryItem } from "../../../../../core/web/console/pictures/index.ts";
import { suite } from "../../../../support/suite.ts";

const stored = {
  type: "bar-chart",
  slots: [
    { name: "y-axis", content: [{ datasetId: "d", columnId: "region", type: "hierarchy" }] },
    {
      name: "measure",
      content: [{ datasetId: "d", columnId: "amount", type: "numeric", aggregationFunc: "sum" }],
    },
  ],
};
const columns = [
  { id: "region", name: { en: "Region" }, type: "hierarchy" },
  { id: "amount", name: { en: "Amount" }, type: "numeric", format: ",.2f", currency_id: "EUR" },
];

suite("core/web/console/pictures/queryItem", (test) => {
  test("cells have the format and currency of their column, as in the view of a dashboard", async () => {
    const asked: unknown[] = [];
    const answers: Readonly<Record<string, object>> = {
      data: { data: [["East", 318]] },
      column: { count: 2, rows: columns },
    };
    const answer = async (resource: string) => {
      asked.push(resource);
      return JSON.parse(JSON.stringify(answers[resource]));
    };
    const api = { call: answer, get: answer };
    const { fields = [], rows = [] } = (await queryItem(api, readItem(stored))) ?? {};
    const read = readColumns({ fields, localeId: "de-DE", timezoneId: "UTC" });
    assert.equal(
      read.map((column, cell) => column.text(rows[0]?.[cell])),
      ["East", "318,00\u00a0€"],
    );
    assert.equal(asked.toSorted(), ["column", "data"]);
  });
});
