import * as assert from "uvu/assert";
import { fetchTotals, readItem } from "../../../../../core/web/charts/index.ts";
import { pivotTotalsOf } from "../../../../../core/web/charts/item/pivotTotals.ts";
import { suite } from "../../../../support/suite.ts";

const field = (columnId: string, more: object = {}) => ({
  columnId,
  datasetId: "d",
  type: "hierarchy",
  ...more,
});
const itemOf = (slots: Readonly<Record<string, readonly object[]>>, options: object = {}) =>
  readItem({
    type: "pivot-table",
    options: { totals: true, limit: { number: 3 }, sort: { by: "measure" }, ...options },
    slots: Object.entries(slots).map(([name, content]) => ({ name, content })),
  });
const [city, kind] = [field("city"), field("kind")];
const mean = field("km", { type: "numeric", aggregationFunc: "average" });

suite("core/web/charts/item/pivotTotals", (test) => {
  test("the queries for pivot totals leave out the rows, the columns or both, and always the limit", () => {
    const item = itemOf({ row: [city], column: [kind], measure: [mean] });
    const where = [{ expression: "? = ?" }];
    const queries = pivotTotalsOf(item, { where, timezoneId: "UTC" });
    const columnsOf = ({ query }: (typeof queries)[number]) =>
      (query["dimensions"] as { column_id: string }[]).map(({ column_id: id }) => id);
    assert.equal(
      queries.map((each) => [each.part, columnsOf(each)]),
      [
        ["down", ["city"]],
        ["across", ["kind"]],
        ["grand", []],
      ],
    );
    for (const { query } of queries) {
      assert.equal(query["where"], where);
      assert.is(query["order"], undefined);
      assert.equal(query["limit"], { by: 10_000 });
    }
    assert.equal(
      queries.map(({ place }) => place(["first", 7])),
      [
        ["first", null, 7],
        [null, "first", 7],
        [null, null, "first"],
      ],
    );
  });

  test("a pivot table has totals only if it has rows, measures and the option for totals, and no filter on groups", () => {
    const parts = (item: ReturnType<typeof itemOf>, having: readonly unknown[] = []) =>
      pivotTotalsOf(item, { having }).map(({ part }) => part);
    assert.equal(parts(itemOf({ row: [city], measure: [mean] })), ["across"]);
    assert.equal(parts(itemOf({ column: [kind], measure: [mean] })), []);
    assert.equal(parts(itemOf({ row: [city], column: [kind] })), []);
    const whole = { row: [city], column: [kind], measure: [mean] };
    assert.equal(parts(itemOf(whole, { totals: "yes" })), []);
    assert.equal(parts(itemOf(whole), [{}]), []);
  });

  test("the totals of a pivot table are fetched in one query per part, and fail if one query fails", async () => {
    const item = itemOf({ row: [city], column: [kind], measure: [mean] });
    const { pivotTotals } = await fetchTotals(item, {}, async ({ dimensions }) =>
      Array.isArray(dimensions) && dimensions.length > 0
        ? [
            ["a", 1],
            ["b", 2],
          ]
        : [[3]],
    );
    assert.equal(pivotTotals?.down, [
      ["a", null, 1],
      ["b", null, 2],
    ]);
    assert.equal(pivotTotals?.grand, [[null, null, 3]]);
    const failing = fetchTotals(item, {}, () => Promise.reject(new Error("gone")));
    const message = await failing.then(String, (failure: Error) => failure.message);
    assert.is(message, "gone");
  });
});
