import * as assert from "uvu/assert";
import type { Principal, RowFilter } from "../../../../core/base/contracts/index.ts";
import type { Capabilities, Cell } from "../../../../plugins/protocol/index.ts";
import { createPlainHost, type PlainColumn, type PlainHost } from "../../../support/plainHost.ts";
import { createPlainPlugin, everyCapability } from "../../../support/plainPlugin.ts";
import { createRandom, withSeed } from "../../../support/random.ts";
import { refusal } from "../../../support/refused.ts";
import { embedOf, override, rowFilter } from "../../../support/restricted.ts";
import { suite } from "../../../support/suite.ts";

const columns: readonly PlainColumn[] = [
  { id: "tenant", type: "hierarchy" },
  { id: "city", type: "hierarchy" },
  { id: "km", type: "numeric" },
  { id: "at", type: "datetime" },
  { id: "place", type: "spatial" },
];
const rows: readonly (readonly Cell[])[] = [
  ["a", "Ghent", 1, "2024-01-01T00:00:00.000Z", "x"],
  ["a", "Lille", 2, "2024-02-01T00:00:00.000Z", "x"],
  ["b", "Ghent", 4, "2024-03-01T00:00:00.000Z", "x"],
  [null, "Ghent", 8, null, "x"],
];
const ref = (column_id: string, more: object = {}) => ({ column_id, dataset_id: "D", ...more });
const total = { measures: [ref("km")] };
const capabilitySets: readonly Capabilities[] = [everyCapability, { projection: true }, {}];
const hosts = Promise.all(
  capabilitySets.map((capabilities) =>
    createPlainHost({ columns, rows, source: createPlainPlugin(capabilities) }),
  ),
);

/** Checks that a principal gets the same sum of `km` from all plugins, and returns this sum. */
async function sumAs(principal: Principal, query: object = total): Promise<Cell> {
  const sums = await Promise.all(
    (await hosts).map(async (host) => (await host.askAs(principal, query)).data[0]?.[0] as Cell),
  );
  assert.equal(
    sums,
    sums.map(() => sums[0] as Cell),
  );
  return sums[0] as Cell;
}
const under = (...filters: RowFilter[]) => embedOf({ filters });
const host = async (): Promise<PlainHost> => (await hosts)[0] as PlainHost;

suite("core/queries/secure/secure", (test) => {
  test("a row filter keeps only the rows that pass it, whatever the plugin can do", async () => {
    const cases: readonly [string, unknown, Cell][] = [
      ["? = ?", "a", 3],
      ["? != ?", "a", 12],
      ["? in ?", ["a", "b"], 7],
      ["? in ?", ["b", null], 12],
      ["? not in ?", ["a"], 12],
      ["? like ?", "A", 3],
      ["? is null", undefined, 8],
      ["? is not null", undefined, 7],
    ];
    for (const [expression, value, sum] of cases)
      assert.is(await sumAs(under(rowFilter("tenant", expression, value))), sum, expression);
    assert.is(await sumAs(under(rowFilter("km", "? between ?", [2, 4]))), 6);
    assert.is(await sumAs(under(rowFilter("at", "? >= ?", "2024-02-01"))), 6);
  });

  test("a row is visible only if it passes all row filters", async () => {
    const filters = [rowFilter("tenant", "? = ?", "a"), rowFilter("city", "? = ?", "Ghent")];
    assert.is(await sumAs(under(...filters)), 1);
  });

  test("a query can narrow the visible rows, but never widen them", async () => {
    const self = under(rowFilter("tenant", "? = ?", "a"));
    const of = (value: string) => ({ expression: "? = ?", parameters: [ref("tenant"), value] });
    for (const [where, sum] of [
      [[of("b")], null],
      [[{ or: [of("a"), of("b")] }], 3],
      [[{ or: [{ expression: "? is null", parameters: [ref("tenant")] }, of("b")] }], null],
      [[{ expression: "? != ?", parameters: [ref("tenant"), "a"] }], null],
      [[], 3],
    ] as const)
      assert.is(await sumAs(self, { ...total, where }), sum, JSON.stringify(where));
  });

  test("groups, plain rows, `having` and counts use only the rows that pass the row filter", async () => {
    const self = under(rowFilter("tenant", "? = ?", "a"));
    for (const each of await hosts) {
      const answers = await Promise.all(
        [
          { dimensions: [ref("tenant")] },
          { dimensions: [ref("tenant")], options: { rollup_data: false } },
          { measures: [ref("*", { aggregation: "count" })] },
          { measures: [ref("tenant", { aggregation: "distinctcount" })] },
          { measures: [ref("km", { aggregation: "max" })] },
          {
            ...total,
            dimensions: [ref("city")],
            having: [{ expression: "? > ?", parameters: [ref("km", { aggregation: "sum" }), 0] }],
          },
        ].map((query) => each.askAs(self, query)),
      );
      const text = (id: string) => ({ id, name: { en: id } });
      assert.equal(
        answers.map(({ data }) => data),
        [
          [[text("a")]],
          [[text("a")], [text("a")]],
          [[2]],
          [[1]],
          [[2]],
          [
            [text("Ghent"), 1],
            [text("Lille"), 2],
          ],
        ],
      );
    }
  });

  test("row filters apply to every query of a call", async () => {
    const self = under(rowFilter("tenant", "? = ?", "b"));
    const answers = (await (
      await host()
    ).askAs(self, {
      queries: [total, total, total],
    })) as unknown as { data: Cell[][] }[];
    assert.equal(
      answers.map(({ data }) => data),
      [[[4]], [[4]], [[4]]],
    );
  });

  test("a row filter with an empty list matches no row, for every operator", async () => {
    for (const expression of ["? in ?", "? not in ?"])
      assert.is(await sumAs(under(rowFilter("tenant", expression, []))), null, expression);
    const value = { parameter: "metadata.t", type: "array[hierarchy]", value: ["a"] };
    const self = embedOf({
      filters: [rowFilter("tenant", "? not in ?", value)],
      parameters: new Map([["t", override([])]]),
    });
    assert.is(await sumAs(self), null);
    assert.equal((await (await host()).askAs(self, { dimensions: [ref("city")] })).data, []);
  });

  test("a row filter uses its parameter's override or default, and is removed if the parameter is cleared", async () => {
    const value = { parameter: "metadata.t", type: "hierarchy", value: "b" };
    const filters = [rowFilter("tenant", "? = ?", value)];
    const sum = (...entries: [string, ReturnType<typeof override>][]) =>
      sumAs(embedOf({ filters, parameters: new Map(entries) }));
    assert.is(await sum(), 4);
    assert.is(await sum(["t", override("a")]), 3);
    assert.is(await sum(["other", override("a")]), 4);
    assert.is(await sum(["t", override(undefined, { clear: true })]), 15);
    assert.is(await sum(["other", override(undefined, { clear: true })]), 4);
    const both = [...filters, rowFilter("city", "? = ?", "Ghent")];
    const parameters = new Map([["t", override(undefined, { clear: true })]]);
    assert.is(await sumAs(embedOf({ filters: both, parameters })), 13);
  });

  test("a parameter accepts only values and columns of its own type", async () => {
    const values: Readonly<Record<string, unknown>> = {
      hierarchy: "a",
      numeric: 1,
      datetime: "2024-01-01",
      "array[hierarchy]": ["a"],
      "array[numeric]": [1],
      "array[datetime]": ["2024-01-01"],
    };
    const columnOf: Readonly<Record<string, string>> = {
      hierarchy: "tenant",
      numeric: "km",
      datetime: "at",
    };
    const odd = [true, {}, { a: 1 }, null, Number.NaN, Infinity, [true], [{}], [[]], undefined];
    for (const [type, column] of Object.keys(values).flatMap((type) =>
      Object.entries(columnOf).map(([scalar, column]) => [type, column, scalar] as const),
    ))
      for (const given of [...Object.values(values), ...odd]) {
        const isList = type.startsWith("array");
        const filter = rowFilter(column, isList ? "? in ?" : "? = ?", { parameter: "t", type });
        const self = embedOf({ filters: [filter], parameters: new Map([["t", override(given)]]) });
        // A date value is also a string.
        const isText = type.includes("hierarchy") && JSON.stringify(given)?.includes("2024");
        const isSame = given === values[type] || (isText && Array.isArray(given) === isList);
        const suits = columnOf[type.replace(/^array\[(.*)\]$/, "$1")] === column;
        const at = JSON.stringify([type, column, given]);
        if (isSame && suits) await sumAs(self);
        else {
          const refused = await refusal((await host()).askAs(self, total)).catch(() => undefined);
          assert.is(refused?.code, "ROWS_CLOSED", at);
        }
      }
  });

  test("a row filter that cannot be applied makes the dataset unavailable", async () => {
    const parameter = { parameter: "metadata.t", type: "hierarchy" };
    const cases: readonly [RowFilter, RegExp][] = [
      [rowFilter("gone", "? = ?", "a"), /no such column/],
      [rowFilter("place", "? = ?", "a"), /spatial/],
      [rowFilter("tenant", "? = ?", parameter), /no value and no default/],
      [rowFilter("tenant", "? = ?", { ...parameter, value: null }), /no value and no default/],
      [rowFilter("tenant", "? = ?", { ...parameter, type: "text" }), /type/],
      [rowFilter("tenant", "? = ?", { ...parameter, type: "__proto__" }), /type/],
      [rowFilter("tenant", "? = ?", { parameter: "__proto__", type: "hierarchy" }), /no value/],
      [rowFilter("tenant", "? = ?", { parameter: "constructor", type: "hierarchy" }), /no value/],
      [rowFilter("tenant", "? = ?", 5), /string/],
      [rowFilter("tenant", "? = ?", ["a"]), /list/],
      [rowFilter("tenant", "? in ?", "a"), /list/],
      [rowFilter("tenant", "? > ?", "a"), /numeric/],
      [rowFilter("km", "? = ?", "1"), /number/],
      [rowFilter("at", "? = ?", "soon"), /ISO/],
      [rowFilter("tenant", "true"), /true/],
      [rowFilter("tenant", "? = ? or 1 = 1", "a"), /or 1 = 1/],
      [rowFilter("tenant", "? = ?"), /value/],
      [rowFilter("tenant", "to_date", { unit: 1 }), /to_date must have a datetime column/],
    ];
    for (const [filter, message] of cases)
      for (const each of await hosts) {
        const refused = await refusal(each.askAs(under(filter), total));
        assert.is(refused.code, "ROWS_CLOSED", refused.message);
        assert.is(refused.status, 403);
        assert.match(refused.message, message);
      }
  });

  test("no error contains the value of a parameter", async () => {
    const filter = rowFilter("km", "? = ?", { parameter: "t", type: "numeric" });
    const parameters = new Map([["t", override("canary", { sensitive: true })]]);
    const refused = await refusal(
      (await host()).askAs(embedOf({ filters: [filter], parameters }), total),
    );
    assert.not.match(refused.message, /canary/);
  });

  test("in every clause, a hidden column causes the same error as a column that does not exist", async () => {
    const self = embedOf({ hiddenColumns: new Set(["tenant"]) });
    const tests = (column: string) => [{ expression: "? = ?", parameters: [ref(column), "a"] }];
    const queriesOf = (column: string): readonly object[] => [
      { dimensions: [ref(column)] },
      { measures: [ref(column, { aggregation: "count" })] },
      { dimensions: [ref(column)], options: { rollup_data: false } },
      { ...total, where: tests(column) },
      { ...total, where: [{ or: [{ and: tests(column) }, ...tests("city")] }] },
      {
        ...total,
        having: [{ expression: "? > ?", parameters: [ref(column, { aggregation: "count" }), 0] }],
      },
      { ...total, dimensions: [ref("city")], order: [ref(column)] },
      { ...total, order: [ref(column, { aggregation: "count" })] },
    ];
    for (const [index, query] of queriesOf("tenant").entries())
      for (const each of await hosts) {
        const refused = await refusal(each.askAs(self, query));
        const unknown = await refusal(each.askAs(self, queriesOf("nosuch")[index]));
        assert.is(refused.code, unknown.code, JSON.stringify(query));
        assert.is(refused.message.replaceAll("tenant", "nosuch"), unknown.message);
      }
    assert.is(await sumAs(self), 15);
  });

  test("a row filter can test a hidden column", async () => {
    const filters = [rowFilter("tenant", "? = ?", "a")];
    assert.is(await sumAs(embedOf({ filters, hiddenColumns: new Set(["tenant"]) })), 3);
  });

  test("token filters do not apply to a caller that acts as a user", async () => {
    assert.equal((await (await host()).sendQuery(total)).data, [[15]]);
  });

  test("a query fails if one of its row filters belongs to another dataset", async () => {
    const filter = { ...rowFilter("tenant", "? = ?", "a"), securable_id: "E" };
    const failure = await (
      await host()
    )
      .askAs(under(filter), total)
      .catch((thrown: unknown) => thrown);
    assert.instance(failure, TypeError);
  });

  test("plugins receive the metadata of the token's user and the columns that row filters read", async () => {
    const source = createPlainPlugin(everyCapability);
    const seen: unknown[] = [];
    const plain = await createPlainHost({
      columns,
      rows,
      source,
      wrap: (plugin) => ({
        ...plugin,
        async query(call) {
          seen.push(call.user, call.query.filters);
          return plugin.query(call);
        },
      }),
    });
    const metadata = { tenant: "a" };
    await plain.askAs(embedOf({ metadata, filters: [rowFilter("tenant", "? = ?", "a")] }), total);
    assert.equal(seen, [
      { id: "ada", name: "ada", email: "ada@example.org", metadata },
      [{ column_id: "source.tenant", expression: "=", value: ["a"] }],
    ]);
  });

  test("concurrent queries of two tokens get the same answers as from a table with only that token's rows", async () => {
    const random = createRandom();
    await withSeed(random, async () => {
      const tenants = ["a", "b", "c"] as const;
      const many = Array.from({ length: 60 }, (): readonly Cell[] => [
        random.pick([...tenants, null]),
        random.pick(["Ghent", "Lille", null]),
        random.below(9),
        random.pick(["2024-01-01T00:00:00.000Z", null]),
        "x",
      ]);
      const whole = await Promise.all(
        capabilitySets.map((capabilities) =>
          createPlainHost({ columns, rows: many, source: createPlainPlugin(capabilities) }),
        ),
      );
      const ofTenant = await Promise.all(
        tenants.map((tenant) =>
          createPlainHost({ columns, rows: many.filter((row) => row[0] === tenant) }),
        ),
      );
      const test = () => ({
        expression: random.pick(["? = ?", "? != ?"]),
        parameters: [
          ref(random.pick(["tenant", "city"])),
          random.pick(["a", "b", "Ghent", "Lille"]),
        ],
      });
      const query = () => ({
        dimensions: random.some([ref("tenant"), ref("city")], 0.5),
        measures: [
          ref("km", { aggregation: random.pick(["sum", "min", "count", "distinctcount"]) }),
          ref("*", { aggregation: "count" }),
        ],
        where: random.some([test(), { or: [test(), test()] }, { and: [test()] }], 0.4),
        options: { rollup_data: random.chance(0.8) },
      });
      await Promise.all(
        Array.from({ length: 120 }, async () => {
          const index = random.below(tenants.length);
          const requested = query();
          if (!requested.options.rollup_data) requested.measures.pop();
          const self = embedOf({
            filters: [rowFilter("tenant", "? in ?", { parameter: "t", type: "array[hierarchy]" })],
            parameters: new Map([["t", override([tenants[index]])]]),
          });
          const [expected, actual] = await Promise.all([
            ofTenant[index]?.sendQuery(requested),
            random.pick(whole).askAs(self, requested),
          ]);
          assert.equal(actual.data, expected?.data, JSON.stringify(requested));
        }),
      );
    });
  });
});
