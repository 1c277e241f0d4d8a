import * as assert from "uvu/assert";
import { createPlainHost } from "../../../support/plainHost.ts";
import { suite } from "../../../support/suite.ts";

suite("core/queries/resolve: default aggregations", (test) => {
  const open = () =>
    createPlainHost({
      columns: [
        { id: "city", type: "hierarchy", aggregation_type: "distinctcount" },
        { id: "kind", type: "hierarchy", aggregation_type: "sum" },
        { id: "km", type: "numeric", aggregation_type: "average" },
        { id: "fare", type: "numeric" },
      ],
      rows: [
        ["Ghent", "a", 1, 10],
        ["Ghent", "b", 3, 20],
        ["Lille", "b", 8, 30],
      ],
    });
  const of = (column_id: string) => ({ dataset_id: "D", column_id });

  test("a measure without an aggregation has the aggregation of its column", async () => {
    const { sendQuery } = await open();
    const measures = [of("city"), of("km"), of("fare"), of("*")];
    assert.equal((await sendQuery({ measures })).data, [[2, 4, 60, 3]]);
  });

  test("the aggregation of a column does not apply to types that it cannot aggregate", async () => {
    const { sendQuery } = await open();
    assert.equal((await sendQuery({ measures: [of("kind")] })).data, [[3]]);
  });

  test("an aggregation in the query takes precedence, and an order can name the measure without it", async () => {
    const { sendQuery } = await open();
    const km = { ...of("km"), aggregation: { type: "sum" } };
    assert.equal((await sendQuery({ measures: [km] })).data, [[12]]);
    const { data } = await sendQuery({
      dimensions: [of("city")],
      measures: [of("km")],
      order: [{ ...of("km"), order: "desc" }],
      options: { cells: "plain" },
    });
    assert.equal(data, [
      ["Lille", 8],
      ["Ghent", 2],
    ]);
  });
});
