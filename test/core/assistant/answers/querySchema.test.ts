import * as assert from "uvu/assert";
import { ApiError } from "../../../../core/base/errors.ts";
import { checkQuery } from "../../../../core/assistant/answers/checkQuery.ts";
import { querySchema } from "../../../../core/assistant/answers/querySchema.ts";
import type { KnownDataset } from "../../../../core/assistant/meaning/readDatasets.ts";
import { suite } from "../../../support/suite.ts";

const plain = { description: "", context: "", version: "", names: {}, descriptions: {} };
const column = (id: string) => ({ id, type: "numeric", names: {} });
const datasets = [
  { ...plain, id: "D", name: "D", columns: [column("a"), column("b")], formulas: [] },
] as unknown as readonly KnownDataset[];
const a = { dataset_id: "D", column_id: "a" };
const b = { dataset_id: "D", column_id: "b" };

suite("core/assistant/answers/querySchema", (test) => {
  test("the model is offered every member of a query that does not come from its caller", () => {
    const schema = querySchema(datasets) as { properties: Record<string, unknown> };
    assert.equal(Object.keys(schema.properties).toSorted(), [
      "dimensions",
      "from",
      "having",
      "limit",
      "measures",
      "order",
      "where",
    ]);
    const text = JSON.stringify(schema);
    for (const member of ["per", "via", "corr", "fraction", "include_nonoccurring", "or"])
      assert.ok(text.includes(`"${member}"`), member);
    assert.not.ok(text.includes("$ref"));
    assert.not.ok(text.includes('"formula"'));
  });

  test("a query may use an inner query, limits per group, roles and aggregations of two columns", () => {
    const inner = { dimensions: [a], measures: [{ ...b, aggregation: { type: "corr", ...a } }] };
    const query = {
      from: { query: inner, columns: ["key", "value"] },
      dimensions: [{ dataset_id: "from", column_id: "key" }],
      measures: [
        {
          dataset_id: "from",
          column_id: "value",
          aggregation: {
            type: "cumulativesum",
            per: [{ dataset_id: "from", column_id: "key" }],
          },
        },
      ],
      limit: { by: 2, per: [{ dataset_id: "from", column_id: "key" }] },
    };
    const checked = checkQuery(query, datasets);
    assert.equal(checked["from"], query.from);
    assert.equal(checked["limit"], query.limit);
    assert.ok(checkQuery({ measures: [{ ...a, via: "b" }] }, datasets));
  });

  test("ids that the model was not given are refused everywhere", () => {
    const other = { dataset_id: "E", column_id: "a" };
    const refused = (query: object) => {
      try {
        checkQuery(query, datasets);
        return "accepted";
      } catch (failure) {
        return failure instanceof ApiError ? failure.message : String(failure);
      }
    };
    const from = { query: { measures: [a] }, columns: ["value"] };
    for (const [query, path] of [
      [{ measures: [{ ...a, via: "c" }] }, "measures[0].via"],
      [{ measures: [{ ...a, aggregation: { type: "corr", ...other } }] }, "aggregation.dataset_id"],
      [{ measures: [{ ...a, aggregation: { type: "cumulativesum", per: [other] } }] }, "per[0]"],
      [{ measures: [a], limit: { by: 1, per: [other] } }, "limit.per[0]"],
      [{ from: { query: { measures: [other] }, columns: ["x"] } }, "from.query.measures[0]"],
      [{ from, measures: [a] }, "measures[0].dataset_id"],
      [{ from, measures: [{ dataset_id: "from", column_id: "x" }] }, "measures[0].column_id"],
      [{ from: { query: { from, measures: [] }, columns: [] } }, "from.query.from"],
      [{ measures: [{ ...a, expression: "{D:a}" }] }, "measures[0].expression"],
      [{ measures: [a], options: {} }, "query.options"],
    ] as const)
      assert.match(refused(query), path);
  });
});
