import * as assert from "uvu/assert";
import type { Filter } from "../../../plugins/protocol/index.ts";
import { exactFilters } from "../../../plugins/sql/exactFilters.ts";
import { sqlCapabilities } from "../../../plugins/sql/sqlCapabilities.ts";
import { suite } from "../../support/suite.ts";

const columns = [
  { name: "n", nativeType: "integer", type: "numeric" },
  { name: "t", nativeType: "text", type: "hierarchy" },
  {
    name: "loose",
    nativeType: "text",
    type: "hierarchy",
    narrowed: { filters: { "=": "superset", like: "none" } },
  },
] as const;
const equal = (column_id: string): Filter => ({ column_id, expression: "=", value: ["a"] });
const filters: readonly Filter[] = [
  equal("t"),
  equal("loose"),
  { column_id: "n", expression: ">", value: [1] },
  { or: [equal("t"), equal("loose")] },
  { column_id: "loose", expression: "like", value: ["a"] },
  { column_id: "loose", expression: "is null" },
  equal("gone"),
];
const query = { filters, options: { pushdown: true } };

suite("plugins/sql/exactFilters", (test) => {
  test("a filter is acknowledged only if it is exact for the table's current columns", () => {
    assert.equal(exactFilters(query, { columns }, sqlCapabilities), [0, 2, 5]);
  });

  test("a dialect without projection acknowledges no filters, because its SQL statements contain none", () => {
    const { projection: _, ...capabilities } = sqlCapabilities;
    assert.equal(exactFilters(query, { columns }, capabilities), []);
  });
});
