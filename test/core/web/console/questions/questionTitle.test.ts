import * as assert from "uvu/assert";
import {
  emptyQuestion,
  questionTitle,
  usualAggregation,
  type ExploredColumn,
} from "../../../../../core/web/console/questions/index.ts";
import { inSentence } from "../../../../../core/web/console/questions/inSentence.ts";
import { suite } from "../../../../support/suite.ts";

const column = (id: string, type: ExploredColumn["type"], name: string): ExploredColumn => ({
  id,
  type,
  name: { en: name },
  description: null,
  subtype: null,
  format: null,
  expression: null,
  lowestLevel: 9,
  minimum: null,
  maximum: null,
  aggregation_type: "sum",
  order: 0,
});
const columns = new Map(
  [
    column("day", "datetime", "Order Date"),
    column("city", "hierarchy", "City"),
    column("units", "numeric", "Units"),
    column("price", "numeric", "Unit Price"),
  ].map((each) => [each.id, each]),
);
const average = { id: "price", aggregation: "average" };
const sum = { id: "units", aggregation: "sum" };

suite("core/web/console/questions/questionTitle", (test) => {
  test("a title names the measure, the period and the categories", () => {
    const titles = [
      { measures: [average], rows: [{ id: "day", level: 3 }] },
      { measures: [sum], rows: [{ id: "day", level: 5 }], color: { id: "city" } },
      { measures: [sum, average], rows: [{ id: "city" }] },
      { measures: [{ id: "*", aggregation: "count" }], rows: [] },
      { measures: [], rows: [{ id: "city" }] },
    ].map((question) => questionTitle({ ...emptyQuestion, ...question }, columns));
    assert.equal(titles, [
      "Average unit price by month",
      "Total units by day and city",
      "Total units and average unit price by city",
      "Count of rows",
      "City",
    ]);
    assert.is(questionTitle(emptyQuestion, columns), "");
  });

  test("names with other capitals than the first of a word keep them", () => {
    assert.equal(
      ["Sales EUR", "GDP", "iPhone Users", "Ärzte", "R2-D2"].map((name) => inSentence(name)),
      ["sales EUR", "GDP", "iPhone users", "ärzte", "R2-D2"],
    );
  });

  test("numbers per unit are averaged, numbers that name something are counted, and others are added", () => {
    const usual = (name: string) => usualAggregation(column("x", "numeric", name));
    for (const name of ["Speed", "Phone price", "Orders per week", "Price index", "Hour"])
      assert.is(usual(name), "average", name);
    for (const name of ["Unit Price", "delay", "avgScore", "discount_rate", "Latitude", "Age"])
      assert.is(usual(name), "average", name);
    for (const name of ["order_id", "CustomerId", "Year", "Postcode", "Sku", "Index", "Month"])
      assert.is(usual(name), "distinctcount", name);
    for (const name of ["Units", "Amount", "Revenue", "Idle flights", "Yearly revenue", "km"])
      assert.is(usual(name), "sum", name);
    const shares = { ...column("x", "numeric", "Discount"), format: ".1%" };
    assert.is(usualAggregation(shares), "average");
    assert.is(usualAggregation({ ...shares, aggregation_type: "max" }), "max");
    assert.is(usualAggregation(column("x", "hierarchy", "City")), "distinctcount");
  });
});
