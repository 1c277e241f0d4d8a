import * as assert from "uvu/assert";
import { filtersOf, readItem } from "../../../../../core/web/charts/index.ts";
import { defaultLimits } from "../../../../../core/queries/limits.ts";
import { parseConditions } from "../../../../../core/queries/parse/parseConditions.ts";
import { suite } from "../../../../support/suite.ts";

type Json = Readonly<Record<string, unknown>>;

const itemOf = (id: string, datasetId = "d") =>
  readItem({
    id,
    type: "bar-chart",
    slots: [{ name: "measure", content: [{ columnId: "m", datasetId, type: "numeric" }] }],
  });
const reference = { columnId: "c", datasetId: "d" };
const isAbove = (value: number, type = "where"): Json => ({
  expression: "? > ?",
  parameters: [reference, value],
  properties: { type },
});
const group = (more: Json = {}): Json => ({
  origin: "global",
  datasetId: "d",
  condition: "and",
  filters: [isAbove(1)],
  subGroups: [],
  ...more,
});
const boardOf = (...filterGroups: readonly unknown[]) => ({
  contents: {},
  view: { filterGroups },
});
const filterOf = (value: number) => ({
  expression: "? > ?",
  parameters: [{ column_id: "c", dataset_id: "d" }, value],
});

suite("core/web/charts/item/filtersOf", (test) => {
  test("a global filter applies to every item of its dataset and to no other item", () => {
    const board = boardOf(group());
    assert.equal(filtersOf(board, itemOf("a")).where, [{ and: [filterOf(1)] }]);
    assert.equal(filtersOf(board, itemOf("b")).where, [{ and: [filterOf(1)] }]);
    assert.equal(filtersOf(board, itemOf("a", "other")), { where: [], having: [] });
  });

  test("a filter stored in an item applies only to that item", () => {
    const board = boardOf(group({ origin: "itemFilter", itemId: "a" }));
    assert.equal(filtersOf(board, itemOf("a")).where, [{ and: [filterOf(1)] }]);
    assert.equal(filtersOf(board, itemOf("b")).where, []);
  });

  test("a filter that an item sets applies to every other item but not to that item", () => {
    const board = boardOf(group({ origin: "filterFromVizItem", itemId: "slicer" }));
    assert.equal(filtersOf(board, itemOf("a")).where, [{ and: [filterOf(1)] }]);
    assert.equal(filtersOf(board, itemOf("slicer")).where, []);
  });

  test("filter groups of the contents and the view are combined, even with the older spelling of member names", () => {
    const old = {
      ...group(),
      filters: [{ expression: "? > ?", parameters: [{ column: "c", set: "d" }, 2] }],
    };
    const board = {
      contents: { filterGroups: [old], filters: [group({ filters: [isAbove(3)] })] },
      view: { filterGroups: [group({ filters: [isAbove(4)] })] },
    };
    assert.equal(
      filtersOf(board, itemOf("a")).where,
      [2, 3, 4].map((value) => ({ and: [filterOf(value)] })),
    );
  });

  test("filters on groups are separated from filters on rows, at any depth", () => {
    const board = boardOf(
      group({
        condition: "or",
        filters: [isAbove(1), isAbove(2)],
        subGroups: [group({ filters: [isAbove(3)] })],
      }),
      group({ filters: [isAbove(4, "having"), isAbove(5)] }),
    );
    const { where, having } = filtersOf(board, itemOf("a"));
    assert.equal(where, [
      { or: [filterOf(1), filterOf(2), { and: [filterOf(3)] }] },
      { and: [filterOf(5)] },
    ]);
    assert.equal(having, [{ and: [filterOf(4)] }]);
  });

  test('an "or" that mixes filters on rows and groups stays in the query, which the host rejects', () => {
    const mixed = [
      group({ condition: "or", filters: [isAbove(1), isAbove(2, "having")] }),
      group({ condition: "or", subGroups: [group({ filters: [isAbove(2, "having")] })] }),
    ];
    for (const each of mixed) {
      const { where, having } = filtersOf(boardOf(each), itemOf("a"));
      assert.equal(having, []);
      assert.throws(() => parseConditions(where, "where", defaultLimits), /where\[0\]\.or\[0\]/);
    }
  });

  test("unknown filters stay in the query, which the host rejects, and empty groups are dropped", () => {
    for (const strange of [7, null, "x", [isAbove(1)]])
      assert.equal(filtersOf(boardOf(group({ filters: [strange] })), itemOf("a")).where, [
        { and: [{ expression: strange }] },
      ]);
    const none = boardOf(group({ filters: [] }), null, "x", group({ filters: "x" }));
    assert.equal(filtersOf(none, itemOf("a")), { where: [], having: [] });
  });
});
