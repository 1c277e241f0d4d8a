import * as assert from "uvu/assert";
import { isPlausible } from "../../../../core/queries/finish/isPlausible.ts";
import { type GroupsCheck } from "../../../../core/queries/queryPlan.ts";
import type { Batch } from "../../../../plugins/protocol/index.ts";
import { createRandom } from "../../../support/random.ts";
import { suite } from "../../../support/suite.ts";

const day = 86_400_000;
const check: GroupsCheck = {
  rowCount: 5,
  periods: [{ vector: 0, level: "day" }],
  folds: [
    { vector: 1, part: "sum", valueCount: 2 },
    { vector: 3, part: "min", valueCount: 2 },
    { vector: 4, part: "max", valueCount: 2 },
  ],
  ranges: [],
};
/**
 * A batch with one group per row. Its columns are the day, the sum, the number of values, the minimum, the maximum and
 * the number of rows.
 */
function groups(...rows: readonly (readonly (number | null)[])[]): Batch {
  const columns = [0, 1, 2, 3, 4, 5].map((index) => ({
    type: index === 0 ? ("datetime" as const) : ("numeric" as const),
    values: Float64Array.from(rows, (row) => row[index] ?? Number.NaN),
  }));
  return { rowCount: rows.length, columns };
}
const good = [day, 5, 2, 1, 4, 3] as const;
const empty = [2 * day, null, 0, null, null, 1] as const;

suite("core/queries/finish/isPlausible", (test) => {
  test("consistent groups are plausible, even a group without values and the group of null", () => {
    assert.ok(isPlausible(groups(good, empty, [null, 7, 1, 7, 7, 1]), check));
    assert.ok(isPlausible(groups(), check));
  });

  for (const [what, row] of [
    ["a null sum with values", [day, null, 2, 1, 4, 3]],
    ["a null extreme with values", [day, 5, 2, null, 4, 3]],
    ["a sum without values", [day, 5, 0, null, null, 3]],
    ["an extreme without values", [day, null, 0, null, 4, 3]],
    ["a minimum above the maximum", [day, 5, 2, 4, 1, 3]],
    ["an instant that does not start a day", [day + 1, 5, 2, 1, 4, 3]],
  ] as const)
    test(`${what} makes the groups implausible`, () => {
      assert.not.ok(isPlausible(groups(good, row), check));
    });

  for (const [what, row] of [
    ["a negative number of rows", [day, 5, 2, 1, 4, -1]],
    ["a fraction of rows", [day, 5, 2, 1, 4, 2.5]],
    ["a number of rows beyond the whole numbers", [day, 5, 2, 1, 4, 2 ** 60]],
    ["a null number of rows", [day, 5, 2, 1, 4, null]],
    ["a negative number of values", [day, 5, -2, 1, 4, 3]],
    ["more values than rows", [day, 5, 4, 1, 4, 3]],
  ] as const)
    test(`${what} fails with PLUGIN_BAD_ANSWER`, () => {
      assert.throws(
        () => isPlausible(groups(good, row), check),
        (failure: { code?: string }) => failure.code === "PLUGIN_BAD_ANSWER",
      );
    });

  test("groups are implausible if a group is repeated identically, but not if a group is returned in parts", () => {
    assert.not.ok(isPlausible(groups(good, empty, good), check));
    assert.ok(isPlausible(groups(good, empty, [day, 6, 2, 1, 5, 3]), check));
  });

  test("a group is implausible if a filter should have removed some of its rows", () => {
    const within = (expression: "<" | "<=" | ">" | ">=", bound: number | null) => ({
      ...check,
      ranges: [
        {
          filter: { column_id: "n", expression, value: [bound] },
          least: 3,
          greatest: 4,
          valueCount: 2,
        },
      ],
    });
    const full = groups([day, 5, 2, 1, 4, 2], [day, null, 0, null, null, 0]);
    for (const [expression, bound, isRight] of [
      ["<=", 4, true],
      ["<", 4, false],
      [">=", 1, true],
      [">", 1, false],
      [">", 0, true],
      ["<", null, false],
    ] as const)
      assert.is(isPlausible(full, within(expression, bound)), isRight, `${expression} ${bound}`);
    assert.not.ok(isPlausible(groups([day, 5, 2, 1, 4, 3]), within("<=", 4)), "a row has no value");
  });

  test("groups by hour in a time zone are implausible at times when the zone's offset was not a whole number of minutes", () => {
    const zoned = { ...check, periods: [{ vector: 0, level: "day" as const, fromMs: day }] };
    assert.ok(isPlausible(groups(good), zoned));
    assert.not.ok(isPlausible(groups([0, 5, 2, 1, 4, 3]), zoned));
  });

  test("a group that occurs twice is detected among many groups", () => {
    const random = createRandom(7);
    const rows = Array.from({ length: 5000 }, (_, index) => {
      const value = random.below(9) - 4;
      return [index * day, value, 1, value, value, 1];
    });
    assert.ok(isPlausible(groups(...rows), check));
    const again = rows[random.below(rows.length)] ?? [];
    assert.not.ok(isPlausible(groups(...rows, again), check));
  });
});
