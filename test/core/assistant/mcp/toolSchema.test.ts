import * as assert from "uvu/assert";
import { querySchema } from "../../../../core/assistant/mcp/toolSchema.ts";
import { aggregations } from "../../../../plugins/protocol/index.ts";
import { suite } from "../../../support/suite.ts";

suite("core/assistant/mcp/toolSchema", (test) => {
  test("the schema of an MCP query explains inner queries, limits per group and roles", () => {
    const description = String(querySchema["description"]);
    assert.match(description, "from?: {query: an inner");
    assert.match(description, "per?: [dimensions");
    assert.match(description, "via: column_id");
  });

  test("the schema of an MCP query lists every aggregation with its arguments", () => {
    const description = String(querySchema["description"]);
    assert.equal(
      aggregations.filter((name) => !description.includes(JSON.stringify(name))),
      [],
    );
    assert.match(description, '{type: "corr", dataset_id, column_id of the other column}');
    assert.match(description, '{type: "percentile", fraction: 0 to 1}');
    assert.match(description, '{type: "weightedaverage", dataset_id, column_id of the weights}');
  });
});
