import * as assert from "uvu/assert";
import { readItem, queryOf } from "../../../../../../core/web/charts/index.ts";
import { readerZone } from "../../../../../../core/web/console/language/index.ts";
import { markGroups } from "../../../../../../core/web/console/pages/explore/markGroups.ts";
import type { AnsweredItem } from "../../../../../../core/web/console/pictures/index.ts";
import { suite } from "../../../../../support/suite.ts";

const datasetId = "d";

/** Returns the groups of a row with one cell of a column. */
function groupsOf(content: object, cell: string | number | null) {
  const item = readItem({
    id: "i",
    type: "column-chart",
    slots: [
      { name: "x-axis", content: [{ datasetId, columnId: "c", label: "C", ...content }] },
      {
        name: "measure",
        content: [{ datasetId, columnId: "m", type: "numeric", aggregationFunc: "sum" }],
      },
    ],
  });
  const { fields, query } = queryOf(item, { localeId: "en", timezoneId: readerZone })!;
  const answered = { item, fields, query, rows: [[cell, 1]] } as unknown as AnsweredItem;
  return markGroups(answered, 0);
}

suite("core/web/console/pages/explore/markGroups", (test) => {
  test("a category is tested by its value, and the rest by all others", () => {
    const [group] = groupsOf({ type: "hierarchy" }, "Ghent");
    assert.equal(group?.filters, [{ id: "c", test: "? in ?", value: ["Ghent"] }]);
    assert.equal(group?.others, [{ id: "c", test: "? not in ?", value: ["Ghent"] }]);
  });

  test("a group without a value is tested for null", () => {
    const [group] = groupsOf({ type: "hierarchy" }, null);
    assert.equal(group?.filters, [{ id: "c", test: "? is null" }]);
    assert.equal(group?.others, [{ id: "c", test: "? is not null" }]);
  });

  test("a period of days is tested by its first and last day", () => {
    const days = (level: number, cell: string) =>
      groupsOf({ type: "datetime", subtype: "date", level }, cell)[0]?.filters[0]?.value;
    assert.equal(days(1, "2024-01-01T00:00:00.000Z"), ["2024-01-01", "2024-12-31"]);
    assert.equal(days(2, "2024-04-01T00:00:00.000Z"), ["2024-04-01", "2024-06-30"]);
    assert.equal(days(3, "2024-02-01T00:00:00.000Z"), ["2024-02-01", "2024-02-29"]);
    assert.equal(days(4, "2024-12-30T00:00:00.000Z"), ["2024-12-30", "2025-01-05"]);
    assert.equal(days(5, "2024-12-31T00:00:00.000Z"), ["2024-12-31", "2024-12-31"]);
  });

  test("an hour is tested by its first and last millisecond, and the rest by what lies outside", () => {
    const [group] = groupsOf({ type: "datetime", level: 6 }, "2026-03-29T01:00:00.000Z");
    const [from, to] = ["2026-03-29T01:00:00.000Z", "2026-03-29T01:59:59.999Z"];
    assert.equal(group?.filters, [{ id: "c", test: "? between ?", value: [from, to] }]);
    assert.equal(group?.others, [
      { id: "c", test: "? < ?", value: from },
      { id: "c", test: "? > ?", value: to },
      { id: "c", test: "? is null" },
    ]);
    assert.is(group?.isPeriod, true);
  });

  test("a bin is tested by its ends, of which the last bin has both", () => {
    const bins = { type: "numeric", bins: { enabled: true, number: 5 } };
    const [group] = groupsOf(bins, "[ 10 - 20 [");
    assert.equal(group?.filters, [
      { id: "c", test: "? >= ?", value: 10 },
      { id: "c", test: "? < ?", value: 20 },
    ]);
    const [last] = groupsOf(bins, "[ 20 - 30 ]");
    assert.equal(last?.filters[1], { id: "c", test: "? <= ?", value: 30 });
    assert.equal(last?.others[1], { id: "c", test: "? > ?", value: 30 });
  });
});
