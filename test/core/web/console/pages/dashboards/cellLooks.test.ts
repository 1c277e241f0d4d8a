import * as assert from "uvu/assert";
import { readItem } from "../../../../../../core/web/charts/index.ts";
import {
  readLook,
  withLook,
} from "../../../../../../core/web/console/pages/dashboards/cellLooks.ts";
import { suite } from "../../../../../support/suite.ts";

const itemOf = (type: string, columns: unknown) => ({
  id: "t",
  type,
  options: { totals: true, columns },
  slots: [
    {
      name: "columns",
      content: [
        { id: "mean", columnId: "km", datasetId: "d", type: "numeric" },
        { columnId: "city", datasetId: "d", type: "hierarchy" },
      ],
    },
  ],
});

suite("core/web/console/pages/dashboards/cellLooks", (test) => {
  const rules = [{ val: 3, color: "#c00", kept: 1 }];

  test("cell colours are stored under the id of the slot's content, without changing other columns' entries", () => {
    const other = { slotContentId: "gone", width: { desktop: 90 } };
    const before = itemOf("regular-table", [other]);
    const [mean, city] = readItem(before).fields;
    const after = withLook(before, mean!, { mode: "conditionalText", rules });
    assert.equal(after.options, {
      totals: true,
      columns: [other, { slotContentId: "mean", mode: "conditionalText", conditional: rules }],
    });
    assert.equal(readLook(after, mean!), { mode: "conditionalText", rules });
    assert.equal(readLook(after, city!), { mode: "", rules: [] });
    const both = withLook(after, city!, { mode: "categoryBadge", rules: [] });
    assert.equal(readLook(both, city!).mode, "categoryBadge");
    assert.equal(readLook(both, mean!), { mode: "conditionalText", rules });
  });

  test("an entry in a nested list is changed in place, and keeps its other members", () => {
    const entry = { id: "km", mode: "bar", barColor: "#00f", conditional: rules };
    const before = itemOf("pivot-table", [[entry]]);
    const [mean] = readItem(before).fields;
    assert.equal(readLook(before, mean!), { mode: "bar", rules });
    const after = withLook(before, mean!, { mode: "", rules: [] });
    assert.equal(after.options?.["columns"], [{ id: "km", mode: "normal", barColor: "#00f" }]);
    const fresh = withLook(itemOf("pivot-table", undefined), mean!, { mode: "bar", rules: [] });
    assert.equal(fresh.options?.["columns"], [{ id: "mean", mode: "bar" }]);
  });

  test("invalid options produce no cell colours", () => {
    const item = itemOf("regular-table", { a: 1 });
    const [mean] = readItem(item).fields;
    assert.equal(readLook(item, mean!), { mode: "", rules: [] });
    const odd = itemOf("regular-table", [
      null,
      3,
      { slotContentId: "mean", mode: 4, conditional: "x" },
    ]);
    assert.equal(readLook(odd, mean!), { mode: "", rules: [] });
  });
});
