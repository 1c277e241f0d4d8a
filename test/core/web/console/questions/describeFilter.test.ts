import * as assert from "uvu/assert";
import { describeFilter } from "../../../../../core/web/console/questions/index.ts";
import { describeFilter as describeRows } from "../../../../../core/web/console/sharing/index.ts";
import { suite } from "../../../../support/suite.ts";

suite("core/web/console/questions/describeFilter", (test) => {
  test("a filter is described by its column, its operator and its values", () => {
    const described = [
      { test: "? between ?", value: [1_000, 2_500.5] },
      { test: "? in ?", value: ["Ghent", null, "Lyon", "Bonn"] },
      { test: "? is null" },
      { test: "? <= ?", value: 3 },
      { test: "last_now", value: { unit: 5, quantity: 7 } },
    ].map((each) => describeFilter({ id: "c", ...each }, "Sales"));
    assert.equal(described, [
      "Sales is between 1,000 and 2,500.5",
      "Sales is one of Ghent, No value +2",
      "Sales is empty",
      "Sales is at most 3",
      "Sales: Last 7 days",
    ]);
  });

  test("the row filters of shares have the same words, and isolate the writing direction of names", () => {
    const rows = { securable_id: "d", column_id: "c" };
    const described = [
      { expression: "? > ?", value: 1_000 },
      { expression: "? between ?", value: [1, 5] },
      { expression: "? like ?", value: "north" },
      { expression: "? is not null" },
      { expression: "ago", value: { unit: 3, quantity: 1 } },
    ].map((each) => describeRows({ ...rows, ...each }, "Sales").replaceAll(/[\u2068\u2069]/g, "|"));
    assert.equal(described, [
      "|Sales| is more than 1,000",
      "|Sales| is between 1 and 5",
      "|Sales| contains |north|",
      "|Sales| is not empty",
      "|Sales|: Last month",
    ]);
  });
});
