import * as assert from "uvu/assert";
import { itemTypes } from "../../../../../core/web/charts/index.ts";
import { itemTitle } from "../../../../../core/web/console/questions/index.ts";
import { suite } from "../../../../support/suite.ts";

suite("core/web/console/questions/itemTitle", (test) => {
  test("every item type has a title of its own, even if no menu offers it", () => {
    const titles = Object.keys(itemTypes).map(itemTitle);
    assert.not(titles.includes(""));
    assert.is(new Set(titles).size, titles.length);
    assert.is(itemTitle("scatter-plot"), "Scatter plot");
  });

  test("an unknown item type has no title", () => {
    assert.equal(["ai-summary", "constructor", ""].map(itemTitle), ["", "", ""]);
  });
});
