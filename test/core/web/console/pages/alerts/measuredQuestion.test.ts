import * as assert from "uvu/assert";
import { measuredQuestion } from "../../../../../../core/web/console/pages/alerts/measuredQuestion.ts";
import { suite } from "../../../../../support/suite.ts";

const column = (id: string) => ({ dataset_id: "d", column_id: id });
const measure = { ...column("amount"), aggregation: { type: "average" } };
const yesterday = {
  expression: "ago",
  parameters: [column("day"), { unit: 5, quantity: 1 }],
};
const north = { expression: "? = ?", parameters: [column("region"), "North"] };
const condition = { measure: 0, operator: "? > ?", threshold: 8 };

suite("core/web/console/pages/alerts/measuredQuestion", (test) => {
  test("the last period of an alert becomes a line of the latest periods, and other filters stay", () => {
    const query = {
      dimensions: [column("region")],
      measures: [measure],
      where: [north, yesterday],
      options: { timezone_id: "Europe/Brussels" },
    };
    const found = measuredQuestion(query, condition);
    assert.ok(found);
    assert.is(found.datasetId, "d");
    assert.is(found.timezoneId, "Europe/Brussels");
    const { rows, color, measures, chart } = found.question;
    assert.equal(rows, [{ id: "day", level: 5 }]);
    assert.equal(color, { id: "region" });
    assert.equal(measures, [{ id: "amount", aggregation: "average" }]);
    assert.is(chart, "line-chart");
    assert.equal(found.where, [
      north,
      { expression: "last_available", parameters: [column("day"), { unit: 5, quantity: 60 }] },
    ]);
  });

  test("an alert without a period has bars for its groups", () => {
    const found = measuredQuestion(
      { dimensions: [column("region")], measures: [measure] },
      condition,
    );
    assert.equal(found?.question.rows, [{ id: "region" }]);
    assert.is(found?.question.chart, "bar-chart");
    assert.is(found?.question.color, undefined);
  });

  test("single numbers, formulas and several groupings have no chart", () => {
    const queries = [
      { measures: [measure] },
      { dimensions: [column("region")], measures: [{ formula_id: "f" }] },
      { dimensions: [column("region"), column("city")], measures: [measure] },
      {
        dimensions: [{ ...column("age"), discretization: { type: "linear" } }],
        measures: [measure],
      },
      { dimensions: [column("region")], measures: [] },
      "query",
    ];
    for (const query of queries)
      assert.is(measuredQuestion(query, condition), undefined, JSON.stringify(query));
  });
});
