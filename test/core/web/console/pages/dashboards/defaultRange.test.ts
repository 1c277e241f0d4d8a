import * as assert from "uvu/assert";
import { readItem } from "../../../../../../core/web/charts/index.ts";
import {
  withoutItem,
  type BoardItem,
  type BoardView,
  type Contents,
} from "../../../../../../core/web/console/pages/dashboards/contents.ts";
import {
  defaultRangeOf,
  defaultRanges,
  withDefaultRange,
} from "../../../../../../core/web/console/pages/dashboards/defaultRange.ts";
import { defaultValueOf } from "../../../../../../core/web/embed/controls/defaultValueOf.ts";
import { suite } from "../../../../../support/suite.ts";

const item: BoardItem = {
  id: "when",
  type: "date-filter",
  slots: [{ name: "time", content: [{ datasetId: "d", columnId: "c", type: "datetime" }] }],
};
const own = { id: "own", origin: "itemFilter", itemId: "chart", filters: [] };
const view: BoardView = { screenModus: "desktop", items: [item], filterGroups: [own] };
const contents: Contents = { views: [view] };
const viewIn = ({ views = [] }: Contents): BoardView => views[0]!;

suite("core/web/console/pages/dashboards/defaultRange", (test) => {
  test("the range that an author chooses is the one with which the control opens", () => {
    for (const [name, { expression, unit, quantity }] of Object.entries(defaultRanges)) {
      const changed = withDefaultRange(contents, view, item, name);
      assert.is(defaultRangeOf(changed, viewIn(changed), item), name);
      const { filterGroups = [] } = viewIn(changed);
      assert.equal(defaultValueOf(readItem(item), filterGroups), {
        range: { key: expression, unit, quantity },
      });
      const all = withDefaultRange(changed, viewIn(changed), item, "");
      assert.is(defaultRangeOf(all, viewIn(all), item), "");
      assert.equal(viewIn(all).filterGroups, [own]);
    }
  });

  test("a stored range that the menu does not have is shown as another range", () => {
    const filters = [{ expression: "last_now", parameters: [{}, { unit: 5, quantity: 11 }] }];
    const group = { origin: "filterFromFilterItem", itemId: "when", filters };
    const stored = { ...contents, filterGroups: [group] };
    assert.is(defaultRangeOf(stored, view, item), "other");
    assert.equal(withDefaultRange(stored, view, item, "").filterGroups, []);
  });

  test("removing a filter item removes the filters that it sets", () => {
    const changed = withDefaultRange(contents, view, item, "last7");
    const rest = withoutItem(changed, viewIn(changed), "when");
    assert.equal(viewIn(rest).filterGroups, [own]);
  });
});
