import * as assert from "uvu/assert";
import { fetchItem, readItem } from "../../../../../core/web/charts/index.ts";
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
    assert.equal(parts(itemOf(whole, { totals: "yes", sort: {} })), []);
    assert.equal(parts(itemOf(whole), [{}]), []);
  });

  test("rows sorted by a measure need their totals, even if the table does not show them", () => {
    const item = itemOf({ row: [city], column: [kind], measure: [mean] }, { totals: false });
    assert.equal(
      pivotTotalsOf(item).map(({ part }) => part),
      ["down"],
    );
  });

  test("each level of rows and columns has its own query for subtotals, unless groups cannot be collapsed", () => {
    const [country, shop] = [field("country"), field("shop")];
    const slots = { row: [country, city, shop], column: [kind], measure: [mean] };
    const depths = (options: object) =>
      pivotTotalsOf(itemOf(slots, { totals: false, sort: {}, ...options })).map(
        ({ part, rowDepth, columnDepth }) => `${part} ${rowDepth} ${columnDepth}`,
      );
    assert.equal(depths({}), ["subtotals 2 1", "subtotals 1 1"]);
    assert.equal(depths({ isExpandable: false }), []);
    assert.equal(depths({ totals: true }), [
      "down 3 0",
      "subtotals 2 1",
      "subtotals 2 0",
      "subtotals 1 1",
      "subtotals 1 0",
      "across 0 1",
      "grand 0 0",
    ]);
  });

  test("totals can be chosen for a single column of a slot", () => {
    const total = (name: string) => field(name, { grandTotals: { enabled: true } });
    const parts = (slots: Readonly<Record<string, readonly object[]>>) =>
      pivotTotalsOf(itemOf(slots, { totals: false, sort: {}, isExpandable: false })).map(
        ({ rowDepth, columnDepth }) => [rowDepth, columnDepth],
      );
    const column = [kind];
    assert.equal(parts({ row: [total("city")], column, measure: [mean] }), [[0, 1]]);
    assert.equal(parts({ row: [city], column: [total("kind")], measure: [mean] }), [[1, 0]]);
    assert.equal(parts({ row: [city, total("shop")], column, measure: [mean] }), [[1, 1]]);
  });

  test("the totals of a pivot table travel in the call of its rows, and fail if one query fails", async () => {
    const item = itemOf({ row: [city], column: [kind], measure: [mean] });
    const answers: readonly (readonly (string | number)[])[][] = [
      [],
      [
        ["a", 1],
        ["b", 2],
      ],
      [["first", 4]],
      [[3]],
    ];
    let callCount = 0;
    const answer = await fetchItem(item, {}, async (queries) => {
      callCount++;
      return queries.map((_query, index) => ({ rows: answers[index] ?? [] }));
    });
    assert.is(callCount, 1);
    assert.equal(answer?.pivotTotals, {
      down: [
        ["a", null, 1],
        ["b", null, 2],
      ],
      across: [[null, "first", 4]],
      grand: [[null, null, 3]],
    });
    const failing = fetchItem(item, {}, async (queries) =>
      queries.map((_query, index) => ({
        rows: [],
        ...(index === 2 && { failure: new Error("gone") }),
      })),
    );
    const message = await failing.then(String, (failure: Error) => failure.message);
    assert.is(message, "gone");
  });
});
