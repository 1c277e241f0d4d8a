import * as assert from "uvu/assert";
import { reasonFor } from "../../../../core/queries/plan/reasonFor.ts";
import { suite } from "../../../support/suite.ts";

suite("core/queries/plan/reasonFor", (test) => {
  test("a clause that the plugin lacks is not promised, and protocols of numbered versions have their own words", () => {
    assert.is(reasonFor({}, "order"), "the plugin does not promise order");
    const lack = "protocol 2.0.0 does not offer";
    assert.is(reasonFor({ lack }, "order"), "protocol 2.0.0 does not offer order");
  });

  for (const [capability, missing] of [
    ["projection", "grouping"],
    ["filters", "filters"],
    ["filters.operators.not in.hierarchy", "not in on hierarchy columns"],
    ["filters.operators.=.numeric", "an exact = on numeric columns"],
    ["filters.operators.=.numeric", "filters"],
    ["filters.superset.like.hierarchy", "like on hierarchy columns"],
    ["filters.nested", "nested filters"],
    ["filters.levels", "filters on levels"],
    ["grouping.keys.hierarchy", "groups by this hierarchy column: the kit found it wrong"],
    ["grouping.aggregations.count", "the aggregation count"],
    ["grouping.levels.week", "the level week"],
    ["grouping.timezones", "levels in a time zone"],
    ["levelsAnywhere", "levels in plain rows and under an aggregation"],
    ["bins", "bins"],
    ["decimalBins", "bins of this width and origin"],
    ["expressions.functions.abs", "the function abs"],
    ["joins", "joins"],
    ["compositeJoins", "joins by several columns"],
    ["joinFilters", "filters on the rows of a joined dataset"],
    ["having", "having"],
    ["groupLimit", "limits per group"],
    ["order", "order"],
    ["limit", "limit"],
  ] as const)
    test(`${capability}, on which the host does not rely, is the reason for lacking: ${missing}`, () => {
      const reason = "the conformance kit found this claim wrong: omits rows";
      const unused = [{ capability, reason }];
      assert.is(
        reasonFor({ unused }, missing),
        `the host does not rely on ${capability}: ${reason}`,
      );
      if (capability === "projection") return;
      assert.is(reasonFor({ unused }, "another"), "the plugin does not promise another");
    });
});
