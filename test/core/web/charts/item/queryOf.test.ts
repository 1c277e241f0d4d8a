import * as assert from "uvu/assert";
import { queryOf, readItem } from "../../../../../core/web/charts/index.ts";
import { suite } from "../../../../support/suite.ts";

const field = (columnId: string, type: string, more: object = {}) => ({
  columnId,
  datasetId: "d",
  type,
  ...more,
});
const itemOf = (type: string, slots: Record<string, object[]>, options = {}) =>
  readItem({
    type,
    options,
    slots: Object.entries(slots).map(([name, content]) => ({ name, content })),
  });

suite("core/web/charts/item/queryOf", (test) => {
  test("both spellings of column references give the same query", () => {
    const old = { column: "c", set: "d", type: "numeric", aggregationFunc: "average" };
    const stored = itemOf("conditional-number", { measure: [old] });
    const measures = [{ dataset_id: "d", column_id: "c", aggregation: { type: "average" } }];
    assert.equal(queryOf(stored)?.query["measures"], measures);
    const now = { columnId: "c", datasetId: "d", type: "numeric", aggregationFunc: "average" };
    assert.equal(queryOf(itemOf("conditional-number", { measure: [now] })), queryOf(stored));
  });

  test("the query of an item has dimensions before measures, in the order of the slots, sorted by value", () => {
    const item = itemOf("bar-chart", {
      measure: [field("m", "numeric")],
      legend: [field("l", "hierarchy")],
      "y-axis": [field("c", "hierarchy")],
    });
    const { query, fields } = queryOf(item, { timezoneId: "Europe/Brussels" })!;
    assert.equal(
      fields.map(({ columnId }) => columnId),
      ["c", "l", "m"],
    );
    assert.equal(query["order"], [
      { dataset_id: "d", column_id: "m", aggregation: { type: "sum" }, order: "desc" },
    ]);
    assert.equal(query["options"], { timezone_id: "Europe/Brussels" });
  });

  test("periods and bins stay in natural order, and are queried with their level or number of bins", () => {
    const months = itemOf("column-chart", {
      "x-axis": [field("t", "datetime", { level: 3 })],
      measure: [field("m", "numeric")],
    });
    assert.is(queryOf(months)?.query["order"], undefined);
    assert.equal(queryOf(months)?.query["dimensions"], [
      { dataset_id: "d", column_id: "t", level: 3 },
    ]);
    const bins = itemOf("column-chart", {
      "x-axis": [field("n", "numeric", { bins: { enabled: true, number: 8 } })],
      measure: [field("m", "numeric")],
    });
    assert.equal(queryOf(bins)?.query["dimensions"], [
      { dataset_id: "d", column_id: "n", discretization: { type: "linear", bins: 8 } },
    ]);
  });

  test("box plots and tables of plain columns query rows without grouping them", () => {
    const table = itemOf("regular-table", {
      columns: [field("c", "hierarchy"), field("m", "numeric")],
    });
    assert.equal(queryOf(table)?.query["options"], { rollup_data: false });
    const boxes = itemOf("box-plot", {
      category: [field("c", "hierarchy")],
      measure: [field("m", "numeric")],
    });
    assert.equal(queryOf(boxes)?.query["options"], { rollup_data: false });
    assert.equal(queryOf(boxes)?.query["measures"], [{ dataset_id: "d", column_id: "m" }]);
    const summed = itemOf("regular-table", {
      columns: [field("c", "hierarchy"), field("m", "numeric", { aggregationFunc: "sum" })],
    });
    assert.equal(queryOf(summed)?.query["options"], {});
  });

  test("formulas are queried by id or expression, and text and empty items have no query", () => {
    const formulas = itemOf("conditional-number", {
      measure: [{ formulaId: "f", datasetId: "d" }],
      target: [{ formula: "SUM({d:c})", datasetId: "d" }],
    });
    assert.equal(queryOf(formulas)?.query["measures"], [
      { dataset_id: "d", formula_id: "f" },
      { dataset_id: "d", formula: "SUM({d:c})" },
    ]);
    assert.is(queryOf(itemOf("text", {})), undefined);
    assert.is(queryOf(readItem({ type: 7, slots: "no", options: null })), undefined);
  });
});
