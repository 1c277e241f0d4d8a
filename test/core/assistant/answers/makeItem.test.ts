import * as assert from "uvu/assert";
import { makeItem } from "../../../../core/assistant/answers/makeItem.ts";
import { queryOf, readItem } from "../../../../core/web/charts/index.ts";
import { suite } from "../../../support/suite.ts";

suite("core/assistant/answers/makeItem", (test) => {
  test("a chart of numbers over time has the time as its dimension", () => {
    const dimensions = [{ dataset_id: "d", column_id: "day" }];
    const measures = [{ dataset_id: "d", column_id: "km", aggregation: { type: "sum" } }];
    const item = makeItem({ dimensions, measures }, "evolution-number", "Km", "en", []);
    assert.equal(
      item.slots.map(({ name }) => name),
      ["evolution", "measure"],
    );
    const query = queryOf(readItem(item))?.query;
    assert.equal([query?.["dimensions"], query?.["measures"]], [dimensions, measures]);
  });
});
