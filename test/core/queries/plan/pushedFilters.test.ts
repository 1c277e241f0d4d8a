import * as assert from "uvu/assert";
import {
  hintedFilters,
  pushedFilters,
  riskOf,
} from "../../../../core/queries/plan/pushedFilters.ts";
import type { Filter } from "../../../../plugins/protocol/index.ts";
import { connectionOf } from "../../../support/plainConnections.ts";
import { createPlainPlugin, everyCapability } from "../../../support/plainPlugin.ts";
import { suite } from "../../../support/suite.ts";

const columns = [
  { id: "city", type: "hierarchy", name: {} },
  { id: "km", type: "numeric", name: {} },
  { id: "at", type: "datetime", name: {} },
] as const;
const scope = {
  query: {
    id: "d",
    columns: [],
    filters: [],
    derived: [
      {
        id: "cost",
        type: "numeric" as const,
        expression: { kind: "column", column_id: "km" } as const,
      },
    ],
    options: { pushdown: true },
  },
  dataset: { source: { id: "d", columns } },
} as unknown as Parameters<typeof pushedFilters>[1];
const sent = (filters: readonly Filter[], isTrusted = false) =>
  pushedFilters(
    filters,
    scope,
    connectionOf("x", createPlainPlugin(everyCapability), isTrusted),
  ).map((each) => each.sent);
const city = (expression: "=" | "in" | "not in" | "!=" | "like", ...value: (string | null)[]) =>
  ({ column_id: "city", expression, value }) as const;

suite("core/queries/plan/pushedFilters", (test) => {
  for (const [filter, reason] of [
    [city("!=", "a"), "null passes the filter, and plugins treat null differently"],
    [city("=", null), "null passes the filter, and plugins treat null differently"],
    [city("like", "a"), "plugins compare parts of strings differently"],
    [city("not in"), "plugins treat empty lists differently"],
    [
      city("=", "it's"),
      "a value contains characters that some plugins paste into statements, or a year that many sources cannot read",
    ],
    [
      { column_id: "cost", expression: "=", value: [1] },
      "the host computes a column that the filter tests",
    ],
    [
      { column_id: "at", expression: "=", value: [1], level: "year" },
      "plugins truncate datetimes differently",
    ],
    [city("=", "a"), undefined],
  ] as const)
    test(`the host knows why it does not send ${JSON.stringify(filter)}`, () => {
      assert.is(riskOf(filter, [filter], scope.query), reason);
      assert.is(sent([filter]).length, reason === undefined ? 1 : 0);
    });

  test("a plugin on whose filters the host does not rely receives no hints", () => {
    const hinted = (unused: readonly string[]) =>
      hintedFilters([city("=", "a")], scope, {
        capabilities: { projection: true },
        unused: unused.map((capability) => ({ capability, reason: "wrong" })),
      }).length;
    assert.equal(
      [[], ["order"], ["filters"], ["filters.operators.=.hierarchy"], ["projection"]].map(hinted),
      [1, 1, 0, 0, 0],
    );
  });

  test("a verified plugin receives every filter that it declares", () => {
    const filters = [city("!=", "a' or 1=1 --"), city("like", "a"), { or: [city("in", null)] }];
    assert.equal(sent(filters, true), filters);
  });

  test("a test that the host sends in another form also requires the capability for that form", () => {
    const operators = { "not in": ["hierarchy"] } as const;
    const plugin = createPlainPlugin({ ...everyCapability, filters: { operators } });
    const pushed = (filter: Filter) =>
      pushedFilters([filter], scope, connectionOf("x", plugin, false));
    assert.equal(pushed(city("not in", null)), []);
    assert.is(pushed(city("not in", "a", null)).length, 1);
  });

  test("an unverified plugin does not receive `not in` with an empty list, which every row passes", () => {
    assert.equal(sent([city("not in"), city("=", "a")]), [city("=", "a")]);
    assert.is(sent([city("not in", "b"), city("=", "a")]).length, 2);
  });

  for (const text of [
    "it's",
    'say "no"',
    "back\\slash",
    "`tick`",
    "a;b",
    "a--b",
    "a/*b",
    "# rest",
    "NUL\u0000",
    "line\nbreak",
    "half \ud83d",
    "\ud800",
    "\u02BC turned into a quote",
    "＇",
    "${code}",
    "$where",
    "100%",
    "<script>",
    "-000001-12-31T23:59:59.999Z",
    "+010000-01-01T00:00:00.000Z",
    "0000-02-29T12:00:00.000Z",
  ])
    test(`an untrusted plugin does not receive the string ${JSON.stringify(text)}`, () => {
      for (const filter of [
        city("=", text),
        city("in", "a", text),
        { or: [city("=", "a"), city("=", text)] },
      ]) {
        assert.equal(sent([filter]), []);
        assert.equal(hintedFilters([filter], scope, { capabilities: {} }), []);
      }
    });

  for (const text of [
    "Ghent",
    "Žilina",
    "東京",
    "Smith & Sons (2)",
    "a-b_c.d@e.org",
    "1/2",
    "",
    "दिल्ली",
  ])
    test(`any plugin receives the string ${JSON.stringify(text)}`, () => {
      assert.equal(sent([city("=", text)]), [city("=", text)]);
    });

  test("an unverified plugin receives `!=` and `not in` only if another filter excludes null", () => {
    const unequal = city("!=", "a");
    const notIn = city("not in", "a", "b");
    assert.equal(sent([unequal, notIn, city("in", "a", null)]), []);
    const known = { column_id: "city", expression: "is not null" } as const;
    assert.equal(sent([unequal, notIn, known]), [unequal, notIn, known]);
    assert.equal(sent([unequal, city("=", "b")]), [unequal, city("=", "b")]);
    assert.equal(sent([{ or: [unequal, city("=", "b")] }, known]), [known]);
  });

  test("an unverified plugin receives `not in` with a list without null, or `is not null` if the list contains only null", () => {
    assert.equal(sent([city("not in", "a", null)]), [city("not in", "a")]);
    assert.equal(sent([city("not in", null)]), [{ column_id: "city", expression: "is not null" }]);
  });

  test("the host tests substrings, levels and derived columns itself", () => {
    assert.equal(
      sent([
        city("like", "a"),
        { column_id: "at", expression: ">", value: ["2024-01-01T00:00:00.000Z"], level: "month" },
        { column_id: "cost", expression: ">", value: [1] },
      ]),
      [],
    );
  });

  test("only a plugin without filters receives hints, and only hints that are safe for every plugin", () => {
    const filters = [city("=", "a"), city("like", "b"), city("=", "it's")];
    assert.equal(hintedFilters(filters, scope, { capabilities: {} }), [city("=", "a")]);
    assert.equal(hintedFilters(filters, scope, { capabilities: everyCapability }), []);
  });
});
