import * as assert from "uvu/assert";
import {
  type Capabilities,
  type Column,
  columnFinder,
  type Filter,
  filterPushdown,
  operators,
  type Query,
} from "../../../plugins/protocol/index.ts";
import { suite } from "../../support/suite.ts";

const types = ["numeric", "datetime", "hierarchy"] as const;
const column = (id: string, type: Column["type"], more: Partial<Column> = {}): Column => ({
  id,
  type,
  name: { en: id },
  ...more,
});
const city = column("city", "hierarchy");
const folded = column("folded", "hierarchy", {
  narrowed: {
    filters: { "=": "superset", in: "superset", "<": "none" },
    reason: "the collation de_DE ignores case",
  },
});
const at = column("at", "datetime");
const capabilities: Capabilities = {
  filters: {
    operators: { "=": types, "<": types, in: types },
    superset: { like: ["hierarchy"], "=": ["hierarchy"] },
    nested: true,
    levels: true,
    listLength: 2,
  },
  grouping: { aggregations: [], levels: ["month"] },
};
const test1 = (column_id: string, expression: (typeof operators)[number], more = {}): Filter => ({
  column_id,
  expression,
  value: ["a"],
  ...more,
});

function pushdownOf(filter: Filter, query: Partial<Query> = {}, zone?: string) {
  const find = columnFinder(query, [city, folded, at], [[folded]]);
  return filterPushdown(filter, capabilities, find, zone);
}

suite("plugins/protocol/filterPushdown", (test) => {
  test("a filter is exact, superset or none, depending on where the plugin lists the filter's operator", () => {
    assert.equal(pushdownOf(test1("city", "=")), { pushdown: "exact" });
    assert.equal(pushdownOf(test1("city", "like")), {
      pushdown: "superset",
      missing: "an exact like on hierarchy columns",
    });
    assert.equal(pushdownOf(test1("at", "like")), {
      pushdown: "none",
      missing: "like on datetime columns",
    });
  });

  test("declaring an operator as superset does not declare its complement", () => {
    assert.is(pushdownOf(test1("city", "not like")).pushdown, "none");
  });

  test("a column's narrowing gives a reason for each promise that it withdraws, and adds no promises", () => {
    assert.equal(pushdownOf(test1("folded", "=")), {
      pushdown: "superset",
      missing: "an exact = on this hierarchy column: the collation de_DE ignores case",
    });
    assert.equal(pushdownOf(test1("folded", "<")), {
      pushdown: "none",
      missing: "< on this hierarchy column: the collation de_DE ignores case",
    });
    const wide = column("wide", "hierarchy", {
      narrowed: { filters: { "starts with": "superset" } },
    });
    const find = columnFinder({}, [wide]);
    assert.is(filterPushdown(test1("wide", "starts with"), capabilities, find).pushdown, "none");
    const like = column("like", "hierarchy", { narrowed: { filters: { like: "superset" } } });
    assert.is(
      filterPushdown(test1("like", "like"), capabilities, columnFinder({}, [like])).pushdown,
      "superset",
    );
  });

  test("a group of filters is pushed down only as far as its least supported member", () => {
    const [exact, superset, none] = [
      test1("city", "="),
      test1("city", "like"),
      test1("city", "not like"),
    ];
    assert.is(pushdownOf({ or: [exact, { and: [exact] }] }).pushdown, "exact");
    assert.is(pushdownOf({ or: [exact, { and: [superset] }] }).pushdown, "superset");
    assert.is(pushdownOf({ and: [superset, none, exact] }).pushdown, "none");
    assert.is(pushdownOf({ and: [] }).pushdown, "exact");
  });

  test("limits on levels, zones and list lengths apply to supersets too", () => {
    const month = { level: "month" };
    assert.is(pushdownOf(test1("at", "=", month)).pushdown, "exact");
    assert.is(pushdownOf(test1("at", "=", month), {}, "Europe/Rome").pushdown, "none");
    assert.is(pushdownOf(test1("at", "=", { level: "week" })).pushdown, "none");
    assert.is(pushdownOf(test1("folded", "in", { value: ["a", "b"] })).pushdown, "superset");
    assert.is(pushdownOf(test1("folded", "in", { value: ["a", "b", "c"] })).pushdown, "none");
  });

  test("filters on a column derived from a narrowed column are not pushed down", () => {
    const lower = (id: string, from: string) => ({
      id,
      type: "hierarchy" as const,
      expression: {
        kind: "call" as const,
        function: "lower" as const,
        args: [{ kind: "column" as const, column_id: from }],
      },
    });
    const derived = [lower("x", "folded"), lower("y", "x"), lower("z", "city")];
    assert.is(pushdownOf(test1("x", "="), { derived }).pushdown, "none");
    assert.match(pushdownOf(test1("y", "="), { derived }).missing ?? "", "de_DE");
    assert.is(pushdownOf(test1("z", "="), { derived }).pushdown, "exact");
    const joins = [
      {
        id: "other",
        left: "city",
        right: "id",
        columns: [{ id: "joined", column_id: "folded", type: "hierarchy" as const }],
      },
    ];
    assert.is(pushdownOf(test1("joined", "="), { joins }).pushdown, "superset");
  });

  test("a filter is not pushed down without the filters capability, or on an unknown column", () => {
    assert.is(pushdownOf(test1("nobody", "=")).pushdown, "none");
    assert.equal(filterPushdown(test1("city", "="), {}, columnFinder({}, [city])), {
      pushdown: "none",
      missing: "filters",
    });
  });
});
