import * as assert from "uvu/assert";
import { readFileSync } from "node:fs";
import {
  type AggregationDefinition,
  aggregationDefinitions,
} from "../../../plugins/protocol/index.ts";
import { suite } from "../../support/suite.ts";

suite("plugins/protocol/aggregations", (test) => {
  const rows = Object.entries<AggregationDefinition>(aggregationDefinitions);

  test("the documentation of queries lists every aggregation", () => {
    const page = readFileSync(new URL("../../../docs/QUERIES.md", import.meta.url), "utf8");
    const missing = rows.filter(([name]) => !new RegExp(`[\`"]${name}[\`"]`).test(page));
    assert.equal(missing, []);
  });

  test("an aggregation whose result has the type of its values accepts values of every type", () => {
    for (const [name, { argument, result }] of rows)
      assert.ok(result === "number" || argument === "any", name);
  });

  test("an aggregation accepts the same types of values as the partial results from which it is merged", () => {
    for (const [name, { argument, mergedFrom = [] }] of rows)
      for (const part of mergedFrom)
        assert.ok(argument === "number" || aggregationDefinitions[part].argument === "any", name);
  });
});
