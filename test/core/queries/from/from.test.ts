import * as assert from "uvu/assert";
import type { Cell } from "../../../../plugins/protocol/index.ts";
import { openEverySource, type EverySource } from "../../../support/everySource.ts";
import { createJoinedHost } from "../../../support/joinedHost.ts";
import { createPlainHost, type PlainColumn } from "../../../support/plainHost.ts";
import { createPlainPlugin } from "../../../support/plainPlugin.ts";
import { refusal } from "../../../support/refused.ts";
import { embedOf, override, rowFilter } from "../../../support/restricted.ts";
import { suite } from "../../../support/suite.ts";
import { datasets, filterOn, links } from "../join/joinedSales.ts";

const columns: readonly PlainColumn[] = [
  { id: "customer", type: "hierarchy" },
  { id: "amount", type: "numeric" },
  { id: "day", type: "datetime", subtype: "date" },
  { id: "double", type: "numeric", expression: "{D:amount} * 2" },
];
const rows: readonly (readonly Cell[])[] = [
  ["a", 1, "2024-01-31T00:00:00.000Z"],
  ["a", 5, "2024-02-01T00:00:00.000Z"],
  ["b", 12, "2024-02-02T00:00:00.000Z"],
  ["b", null, "2024-02-02T00:00:00.000Z"],
  ["c", 7, null],
  [null, 3, "2024-02-03T00:00:00.000Z"],
];
const ref = (column_id: string, more: object = {}) => ({ column_id, dataset_id: "D", ...more });
const of = (column_id: string, more: object = {}) => ({ column_id, dataset_id: "from", ...more });
interface ExplainedProbes {
  readonly probes: readonly { readonly dataset_id: string | null; readonly rows: number | null }[];
}
const count = { aggregation: "count" };
const orders = {
  query: { dimensions: [ref("customer")], measures: [ref("*", count)] },
  columns: ["customer", "orders"],
};
const customersByOrders = {
  from: orders,
  dimensions: [of("orders")],
  measures: [of("*", count)],
};

suite("core/queries/from", (test) => {
  let sources: EverySource;
  test.before(async () => {
    sources = await openEverySource();
  });
  test.after(() => sources.close());

  test("a query can count the counts of an inner query, on every kind of source", async () => {
    for (const [name, host] of await sources.hosts({ columns, rows })) {
      const { data } = await host.sendQuery(customersByOrders);
      assert.equal(
        data,
        [
          [1, 2],
          [2, 2],
        ],
        name,
      );
    }
  });

  test("every clause of a query can use the columns of its inner query, even inside expressions and formulas", async () => {
    const host = await sources.stored({ columns, rows });
    const { data } = await host.sendQuery({
      from: orders,
      dimensions: [of("customer")],
      measures: [
        { expression: "{from:orders} * 10", aggregation: "sum" },
        { formula: "max({from:orders}) + countr()" },
      ],
      where: [{ expression: "? is not null", parameters: [of("customer")] }],
      having: [{ expression: "? > ?", parameters: [of("orders", { aggregation: "sum" }), 0] }],
      order: [of("customer", { order: "desc" })],
      limit: { by: 2 },
      options: { cells: "plain" },
    });
    assert.equal(data, [
      ["c", 10, 2],
      ["b", 20, 3],
    ]);
  });

  test("a query reads the finished answer of its inner query, after its order, limit, formulas and bins", async () => {
    const host = await sources.stored({ columns, rows });
    const total = (query: object, name: string) =>
      host.sendQuery({
        from: { query, columns: name === "x" ? ["x"] : ["g", name] },
        measures: [of(name), of("*", count)],
      });
    const byAmount = { order: [ref("amount", { order: "desc" })], limit: { by: 2 } };
    const grouped = { dimensions: [ref("customer")], measures: [ref("amount")], ...byAmount };
    assert.equal((await total(grouped, "amount")).data, [[19, 2]]);
    const plain = { dimensions: [ref("amount")], ...byAmount, options: { rollup_data: false } };
    assert.equal((await total(plain, "x")).data, [[19, 2]]);
    const ratio = { dimensions: [ref("customer")], measures: [{ formula: "sum({D:double}) / 2" }] };
    assert.equal((await total(ratio, "ratio")).data, [[28, 4]]);
    const bins = { dimensions: [ref("amount", { discretization: { type: "linear", size: 5 } })] };
    assert.equal((await total(bins, "x")).data, [[15, 4]]);
  });

  test("inner queries can be nested", async () => {
    const host = await sources.stored({ columns, rows });
    const { data } = await host.sendQuery({
      from: { query: customersByOrders, columns: ["orders", "customers"] },
      measures: [of("customers", { aggregation: "max" }), of("orders", { aggregation: "sum" })],
    });
    assert.equal(data, [[2, 3]]);
  });

  test("dates of the inner query stay dates", async () => {
    const host = await sources.stored({ columns, rows });
    const query = { dimensions: [ref("day", { level: 5 })], measures: [ref("*", count)] };
    const { data } = await host.sendQuery({
      from: { query, columns: ["day", "n"] },
      dimensions: [of("day", { level: 3 })],
      measures: [of("n")],
      options: { timezone_id: "America/New_York" },
    });
    assert.equal(data, [
      ["2024-01-01T00:00:00.000Z", 1],
      ["2024-02-01T00:00:00.000Z", 4],
      [null, 1],
    ]);
    const latest = await host.sendQuery({
      from: {
        query: { dimensions: [ref("customer")], measures: [{ formula: "max({D:day})" }] },
        columns: ["customer", "latest"],
      },
      dimensions: [of("latest", { level: 3 })],
      measures: [of("*", count)],
      options: { timezone_id: "America/New_York" },
    });
    assert.equal(latest.data, [
      ["2024-02-01T00:00:00.000Z", 3],
      [null, 1],
    ]);
  });

  test("row filters, hidden columns and parameters of a token apply to the inner query", async () => {
    for (const [name, host] of await sources.hosts({ columns, rows })) {
      const filtered = embedOf({ filters: [rowFilter("customer", "? = ?", "a")] });
      assert.equal((await host.askAs(filtered, customersByOrders)).data, [[2, 1]], name);
      const hidden = embedOf({ hiddenColumns: new Set(["customer"]) });
      assert.is(
        (await refusal(host.askAs(hidden, customersByOrders))).code,
        "QUERY_UNKNOWN_COLUMN",
        name,
      );
      const parameter = { parameter: "metadata.who", type: "hierarchy", value: "a" };
      const where = [{ expression: "? = ?", parameters: [ref("customer"), parameter] }];
      const query = { ...orders.query, where };
      const given = embedOf({ parameters: new Map([["who", override("c")]]) });
      assert.equal(
        (await host.askAs(given, { ...customersByOrders, from: { ...orders, query } })).data,
        [[1, 1]],
        name,
      );
    }
  });

  test("a token's filter on groups applies to the groups of the inner query", async () => {
    const host = await sources.stored({ columns, rows });
    const having = { ...rowFilter("amount", "? > ?", 6), clause: "having" as const };
    const { data } = await host.askAs(embedOf({ filters: [having] }), {
      ...customersByOrders,
      from: {
        query: { dimensions: [ref("customer")], measures: [ref("*", count)] },
        columns: ["customer", "orders"],
      },
    });
    assert.equal(data, [
      [1, 1],
      [2, 1],
    ]);
  });

  test("the explanation of a query contains the explanation of its inner query", async () => {
    const host = await sources.stored({ columns, rows });
    const { explain } = (await host.explain(customersByOrders)) as {
      readonly explain: {
        readonly datasets: readonly { readonly id: string }[];
        readonly from: { readonly datasets: readonly { readonly id: string }[] };
      };
    };
    assert.equal(
      [explain, explain.from].map(({ datasets }) => datasets.map(({ id }) => id)),
      [["from"], ["D"]],
    );
  });

  test("an explanation does not reveal how many rows the subqueries of an inner query read", async () => {
    const plugins = Object.fromEntries(datasets.map(({ id }) => [id, createPlainPlugin({})]));
    const host = await createJoinedHost({ datasets, links, plugins });
    const principal = embedOf({ filters: [filterOn("P", "label", "? is not null")] });
    const query = {
      dimensions: [{ dataset_id: "P", column_id: "label" }],
      measures: [{ dataset_id: "S", column_id: "eur" }],
    };
    const over = { from: { query, columns: ["label", "eur"] }, measures: [of("eur")] };
    const { explain } = (await host.explain(over, principal)) as {
      readonly explain: ExplainedProbes & { readonly from: ExplainedProbes };
    };
    assert.equal(explain.probes, []);
    const probed = explain.from.probes.map(({ dataset_id, rows: shown }) => [dataset_id, shown]);
    assert.equal(probed, [
      ["P", null],
      [null, null],
    ]);
  });

  test("the rows of an inner query are dropped after an answer and after an error", async () => {
    const host = await sources.stored({ columns, rows });
    const call = { credentials: { properties: {} }, signal: new AbortController().signal };
    const before = (await host.scratch.datasets(call)).length;
    await host.sendQuery(customersByOrders);
    await refusal(host.sendQuery({ ...customersByOrders, dimensions: [of("missing")] }));
    assert.is((await host.scratch.datasets(call)).length, before);
  });

  const wrong: readonly (readonly [object, RegExp])[] = [
    [{ from: [] }, /^from(\.query)? /],
    [{ from: { ...orders, name: "x" } }, /^from\.name is unknown/],
    [{ from: { columns: [] } }, /^from\.query is required/],
    [{ from: { query: orders.query } }, /^from\.columns is required: a list of 2 names/],
    [
      { from: { ...orders, columns: ["a"] } },
      /^from\.columns is not valid: a list of 2 names.*has 1/,
    ],
    [{ from: { ...orders, columns: ["a", "a"] } }, /^from\.columns\[1\] .*already names/],
    [{ from: { ...orders, columns: ["a", "b:c"] } }, /^from\.columns\[1\] .*must be a name/],
    [{ from: { ...orders, columns: ["*", "b"] } }, /^from\.columns\[0\] .*must be a name/],
    [{ from: { ...orders, columns: ["a", 1] } }, /^from\.columns\[1\] .*non-empty string/],
    [
      { from: { ...orders, query: { ...orders.query, groups: [] } } },
      /^from\.query\.groups is unknown/,
    ],
    [
      { from: { ...orders, query: { ...orders.query, explain: true } } },
      /^from\.query\.explain .*no effect in an inner query/,
    ],
    [
      { from: { ...orders, query: { ...orders.query, options: { cells: "plain" } } } },
      /^from\.query\.options\.cells .*no effect in an inner query/,
    ],
    [
      { from: { ...orders, query: { dimensions: [ref("who")], measures: [ref("amount")] } } },
      /^from\.query\.dimensions\[0\]\.column_id names a column/,
    ],
    [{ dimensions: [ref("customer")] }, /^dimensions\[0\]\.dataset_id .*only the answer of from/],
    [{ measures: [ref("amount")] }, /^measures\[0\]\.dataset_id .*only the answer of from/],
    [
      { measures: [{ formula: "sum({D:amount}) / sum({from:orders})" }] },
      /^measures\[0\].*only the answer of from/,
    ],
    [
      { dimensions: [of("order")] },
      /^dimensions\[0\]\.column_id names a column.*customer \(customer\), orders \(orders\)/,
    ],
  ];
  test("an error names the invalid member of `from`", async () => {
    const host = await sources.stored({ columns, rows });
    for (const [change, message] of wrong) {
      const failure = await refusal(host.sendQuery({ ...customersByOrders, ...change }));
      assert.match(failure.message, message);
    }
  });

  test("a query without `from` cannot refer to the columns of an inner query", async () => {
    const host = await sources.stored({ columns, rows });
    const failure = await refusal(host.sendQuery({ measures: [of("*", count)] }));
    assert.is(failure.code, "RECORD_NOT_FOUND");
  });

  test("queries that are nested too deeply fail with 400", async () => {
    const host = await sources.stored({ columns, rows });
    let query: object = orders.query;
    for (let depth = 0; depth < 9; depth++)
      query = { ...customersByOrders, from: { query, columns: ["customer", "orders"] } };
    assert.match((await refusal(host.sendQuery(query))).message, /^from .*at most 8 deep/);
  });

  test("an inner answer has its own row limit, and fails with 413 above it", async () => {
    const limits = { answerRowCount: 2, fromRowCount: 3 };
    const scratch = sources.store;
    const options = { columns, rows, limits, scratch, cacheBytes: 2 ** 20, cacheS: 60 };
    const host = await createPlainHost(options);
    assert.match((await refusal(host.sendQuery(customersByOrders))).message, /more than 3 rows/);
    const query = { ...orders.query, limit: { by: 3 } };
    const { data } = await host.sendQuery({ ...customersByOrders, from: { ...orders, query } });
    assert.equal(data, [
      [1, 1],
      [2, 2],
    ]);
    const cached = await refusal(host.sendQuery(query));
    assert.match(cached.message, /more than 2 rows/, "the cached inner answer is too long");
  });

  test("the filter tests of inner queries count towards the budget of the call", async () => {
    const test = { expression: "? > ?", parameters: [ref("amount"), 1] };
    const query = { ...orders.query, where: Array.from({ length: 10_001 }, () => test) };
    const host = await sources.stored({ columns, rows });
    const failure = await refusal(
      host.sendQuery({ ...customersByOrders, from: { ...orders, query } }),
    );
    assert.is(failure.code, "QUERY_TOO_MUCH_WORK");
  });
});
