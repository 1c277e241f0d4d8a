import * as assert from "uvu/assert";
import {
  aggregations as offered,
  offeredAggregations,
} from "../../../../../core/web/console/questions/aggregations.ts";
import { aggregationDefinitions, aggregations } from "../../../../../plugins/protocol/index.ts";
import { suite } from "../../../../support/suite.ts";

suite("core/web/console/questions/aggregations", (test) => {
  test("menus offer only aggregations that take one column of that column's type", () => {
    for (const name of aggregations) {
      const { argument, takes, ofOneGroup } = aggregationDefinitions[name];
      const isOffered = takes === undefined && ofOneGroup;
      assert.is(offeredAggregations(true).includes(name), isOffered, name);
      assert.is(offeredAggregations(false).includes(name), isOffered && argument === "any", name);
    }
    assert.equal(Object.keys(offered).toSorted(), [...aggregations].toSorted());
  });
});
