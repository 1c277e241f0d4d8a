import * as assert from "uvu/assert";
import { offered } from "../../../../../core/web/console/questions/offeredAggregations.ts";
import { aggregationDefinitions, aggregations } from "../../../../../plugins/protocol/index.ts";
import { suite } from "../../../../support/suite.ts";

suite("core/web/console/questions/offeredAggregations", (test) => {
  test("menus offer the aggregations that need only a column, for the columns that they take", () => {
    for (const name of aggregations) {
      const { argument, takes, ofOneGroup } = aggregationDefinitions[name];
      const columns = argument === "any" ? "all" : "numbers";
      assert.is(offered[name], takes || !ofOneGroup ? "nowhere" : columns, name);
    }
  });
});
