import * as assert from "uvu/assert";
import { fillSlots, itemTypes, isItemType } from "../../../../../core/web/charts/index.ts";
import { suite } from "../../../../support/suite.ts";

suite("core/web/charts/item/fillSlots", (test) => {
  test("fields fill the slots of an item type in order, and the last slot takes all remaining fields", () => {
    assert.equal(fillSlots("bar-chart", { dimensions: ["a", "b", "c"], measures: ["m", "n"] }), [
      { name: "y-axis", content: ["a"] },
      { name: "legend", content: ["b", "c"] },
      { name: "measure", content: ["m", "n"] },
    ]);
    assert.equal(fillSlots("scatter-plot", { dimensions: [], measures: ["m", "n"] }), [
      { name: "x-axis", content: ["m"] },
      { name: "y-axis", content: ["n"] },
    ]);
  });

  test("the columns of a table are its dimensions followed by its measures", () => {
    assert.equal(fillSlots("regular-table", { dimensions: ["a", "b"], measures: ["m"] }), [
      { name: "columns", content: ["a", "b", "m"] },
    ]);
  });

  test("item types with slots keep all fields, and types without slots keep none", () => {
    const fields = { dimensions: ["a", "b"], measures: ["m", "n", "o", "p"] };
    for (const type of Object.keys(itemTypes).filter(isItemType)) {
      const { dimensions, measures } = itemTypes[type];
      const kept = fillSlots(type, fields).flatMap(({ content }) => content);
      const hasSlots = dimensions.length + measures.length > 0;
      assert.equal(new Set(kept), new Set(hasSlots ? Object.values(fields).flat() : []), type);
    }
  });
});
