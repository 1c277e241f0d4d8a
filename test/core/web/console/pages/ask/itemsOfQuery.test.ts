import * as assert from "uvu/assert";
import { itemsOfQuery } from "../../../../../../core/web/console/pages/ask/itemsOfQuery.ts";
import { suite } from "../../../../../support/suite.ts";

suite("core/web/console/pages/ask/itemsOfQuery", (test) => {
  const query = {
    dimensions: [{ dataset_id: "d", column_id: "city" }],
    measures: [{ dataset_id: "d", column_id: "km", aggregation: { type: "sum" } }],
  };
  const drawn = (chart: string, more: object = {}) =>
    itemsOfQuery({ query: { ...query, ...more }, chart, title: "Km" }, new Map(), {
      rows: "Rows",
      formula: "Formula",
    });

  test("an answer in a chart type that the assistant offers is drawn and saved with that type", () => {
    const { chart, kept } = drawn("donut-chart");
    assert.equal([chart?.type, kept?.type], ["donut-chart", "donut-chart"]);
  });

  test("an answer that is shown as a number is saved as a number if it has one dimension, and as a table if it has two", () => {
    const [city] = query.dimensions;
    const day = { dataset_id: "d", column_id: "day" };
    assert.is(drawn("evolution-number").kept?.type, "evolution-number");
    const { kept } = drawn("evolution-number", { dimensions: [city, day] });
    assert.is(kept?.type, "regular-table");
  });

  test("an answer in a chart type that the assistant does not offer appears as a table", () => {
    for (const type of ["regular-table", "scatter-plot", "constructor", ""]) {
      const { chart, kept, table } = drawn(type);
      assert.equal([chart, kept?.type, table.type], [undefined, "regular-table", "regular-table"]);
    }
  });
});
