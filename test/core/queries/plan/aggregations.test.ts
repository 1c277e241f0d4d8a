import * as assert from "uvu/assert";
import type { Cell } from "../../../../plugins/protocol/index.ts";
import { openEverySource, type EverySource } from "../../../support/everySource.ts";
import { createPlainHost, type PlainColumn } from "../../../support/plainHost.ts";
import { refusal } from "../../../support/refused.ts";
import { suite } from "../../../support/suite.ts";

const columns: readonly PlainColumn[] = [
  { id: "city", type: "hierarchy" },
  { id: "km", type: "numeric" },
  { id: "people", type: "numeric" },
];
const rows: readonly (readonly Cell[])[] = [
  ["a", 1, 1],
  ["a", 2, 3],
  ["a", 4, null],
  ["a", null, 9],
  ["b", 5, 0],
  ["c", null, null],
  [null, 10, 2],
];
const ref = (column_id: string, more: object = {}) => ({ column_id, dataset_id: "D", ...more });
const km = (aggregation: unknown) => ref("km", { aggregation });
const text = (id: string) => ({ id, name: { en: id } });
const nowhere = { expression: "? = ?", parameters: [ref("city"), "nowhere"] };
const weighted = { type: "weightedaverage", dataset_id: "D", column_id: "people" };

suite("core/queries/plan/aggregations", (test) => {
  let sources: EverySource;
  test.before(async () => {
    sources = await openEverySource();
  });
  test.after(() => sources.close());

  test("medians, percentiles, deviations and weighted averages are equal on every kind of source", async () => {
    for (const [name, host] of await sources.hosts({ columns, rows })) {
      const answer = await host.sendQuery({
        dimensions: [ref("city")],
        measures: [
          km("median"),
          km({ type: "percentile", fraction: 0.25 }),
          km({ type: "percentile", fraction: 1 }),
          km("stddev"),
          km(weighted),
        ],
      });
      const deviation = Math.sqrt(((1 - 7 / 3) ** 2 + (2 - 7 / 3) ** 2 + (4 - 7 / 3) ** 2) / 2);
      assert.equal(
        answer.data.map((row) =>
          row.map((cell) => (typeof cell === "number" ? Number(cell.toPrecision(12)) : cell)),
        ),
        [
          [text("a"), 2, 1.5, 4, Number(deviation.toPrecision(12)), 1.75],
          [text("b"), 5, 5, 5, null, null],
          [text("c"), null, null, null, null, null],
          [null, 10, 10, 10, null, 10],
        ],
        name,
      );
    }
  });

  test("correlations use the rows where neither number is null, and are equal on every kind of source", async () => {
    const far = 1000;
    const pairs: readonly (readonly Cell[])[] = [
      ["a", far + 1, 2],
      ["a", far + 2, 3],
      ["a", far + 4, 9],
      ["a", far + 50, null],
      ["a", null, 70],
      ["b", 7, 1],
      ["b", 7, 2],
      ["c", 1, 1],
      ["d", 1, 8],
      ["d", 2, 6],
    ];
    const other = { dataset_id: "D", column_id: "people" };
    for (const [name, host] of await sources.hosts({ columns, rows: pairs })) {
      const { data } = await host.sendQuery({
        dimensions: [ref("city")],
        measures: [
          km({ type: "corr", ...other }),
          { formula: "power(corr({D:km} * 2, {D:people}), 2)" },
        ],
        order: [{ ...km({ type: "corr", ...other }), order: "asc" }],
      });
      const r = 34 / Math.sqrt(14 * 86);
      assert.equal(
        data.map((row) =>
          row.map((cell) => (typeof cell === "number" ? Number(cell.toPrecision(12)) : cell)),
        ),
        [
          [text("d"), -1, 1],
          [text("a"), Number(r.toPrecision(12)), Number((r * r).toPrecision(12))],
          [text("b"), null, null],
          [text("c"), null, null],
        ],
        name,
      );
    }
  });

  test("a cumulative sum is computed in the order of the answer, after `having` and before the limit", async () => {
    const cumulative = km({ type: "cumulativesum" });
    const query = { dimensions: [ref("city")], measures: [cumulative, km("sum")] };
    for (const [name, host] of await sources.hosts({ columns, rows })) {
      const data = async (more: object) => (await host.sendQuery({ ...query, ...more })).data;
      assert.equal(
        await data({}),
        [
          [text("a"), 7, 7],
          [text("b"), 12, 5],
          [text("c"), 12, null],
          [null, 22, 10],
        ],
        name,
      );
      const descending = { order: [ref("km", { aggregation: "sum", order: "desc" })] };
      assert.equal(
        await data({ ...descending, limit: { by: 2, offset: 1 } }),
        [
          [text("a"), 17, 7],
          [text("b"), 22, 5],
        ],
        name,
      );
      const having = [{ expression: "? != ?", parameters: [km("sum"), 7] }];
      assert.equal(
        await data({ having }),
        [
          [text("b"), 5, 5],
          [text("c"), 5, null],
          [null, 15, 10],
        ],
        name,
      );
      assert.equal((await host.sendQuery({ measures: [cumulative] })).data, [[22]], name);
      const none = [{ expression: "? > ?", parameters: [km("sum"), 100] }];
      assert.equal((await host.sendQuery({ measures: [cumulative], having: none })).data, [], name);
    }
  });

  test("for cumulative sums, a plugin that can sum receives queries for sums and never for rows", async () => {
    const hosts = await sources.hosts({ columns, rows });
    for (const [name, host] of hosts.filter(([kind]) => kind.includes("pushdown"))) {
      const measures = [km("cumulativesum"), km("sum")];
      await host.sendQuery({ dimensions: [ref("city")], measures });
      assert.equal(
        host.source.requested.map((query) => query.columns),
        [[{ column_id: "source.city" }, { column_id: "source.km", aggregation: "sum" }]],
        name,
      );
    }
  });

  test("averages are a plugin's sums divided by its counts, even in `having` and `order`", async () => {
    const average = km("average");
    for (const [name, host] of await sources.hosts({ columns, rows })) {
      const answer = await host.sendQuery({
        dimensions: [ref("city")],
        measures: [average, km("cumulativesum"), km("count")],
        having: [{ expression: "? > ?", parameters: [average, 2] }],
        order: [{ ...average, order: "desc" }],
      });
      assert.equal(
        answer.data,
        [
          [null, 10, 10, 1],
          [text("b"), 5, 15, 1],
          [text("a"), 7 / 3, 22, 3],
        ],
        name,
      );
      const plain = await host.sendQuery({ measures: [average], where: [nowhere] });
      assert.equal(plain.data, [[null]], name);
      if (!name.includes("pushdown")) continue;
      assert.equal(
        host.source.requested.map((query) => query.columns.map(({ aggregation }) => aggregation)),
        [
          [undefined, "sum", "count"],
          ["sum", "count"],
        ],
      );
    }
  });

  test("plain rows contain the column's own values, whatever aggregation the query names", async () => {
    for (const [name, host] of await sources.hosts({ columns, rows })) {
      const answer = await host.sendQuery({
        measures: [km(weighted), km({ type: "percentile", fraction: 0.5 })],
        order: [{ ...km(weighted), order: "desc" }],
        limit: { by: 2 },
        options: { rollup_data: false },
      });
      assert.equal(
        answer.data,
        [
          [10, 10],
          [5, 5],
        ],
        name,
      );
    }
  });

  test("two percentiles or weighted averages of one column are different columns if their arguments differ", async () => {
    for (const [name, host] of await sources.hosts({ columns, rows })) {
      const low = km({ type: "percentile", fraction: 0 });
      const high = km({ type: "percentile", fraction: 1 });
      const query = { dimensions: [ref("city")], measures: [low, high] };
      const order = [{ ...high, order: "desc" }];
      assert.equal((await host.sendQuery({ ...query, order })).data[1], [text("b"), 5, 5], name);
      const having = [{ expression: "? = ?", parameters: [high, 4] }];
      assert.equal((await host.sendQuery({ ...query, having })).data, [[text("a"), 1, 4]], name);
    }
  });

  test("an argument that an aggregation does not accept fails with 400, and the error says what to do", async () => {
    const host = await createPlainHost({ columns, rows });
    const cases: readonly (readonly [object, string, RegExp])[] = [
      [
        { measures: [ref("city", { aggregation: "median" })] },
        "MEMBER_INVALID",
        /measures\[0\]\.aggregation.*median needs a numeric column. For every column you can use min, max, count, distinctcount/,
      ],
      [{ measures: [ref("*", { aggregation: "stddev" })] }, "MEMBER_INVALID", /only be counted/],
      [
        { measures: [km({ ...weighted, column_id: "city" })] },
        "MEMBER_INVALID",
        /measures\[0\]\.aggregation\.column_id.*the second column of weightedaverage must be numeric/,
      ],
      [{ measures: [km({ ...weighted, column_id: "nope" })] }, "QUERY_UNKNOWN_COLUMN", /nope/],
      [
        {
          measures: [km("cumulativesum")],
          having: [{ expression: "? > ?", parameters: [km("cumulativesum"), 1] }],
        },
        "MEMBER_INVALID",
        /having\[0\].*aggregation sum here instead of cumulativesum/,
      ],
      [
        { measures: [km("cumulativesum")], order: [km("cumulativesum")] },
        "MEMBER_INVALID",
        /order\[0\].*aggregation sum here instead of cumulativesum/,
      ],
    ];
    for (const [query, code, message] of cases) {
      const refused = await refusal(host.sendQuery(query));
      assert.match(refused.message, message);
      assert.is(refused.code, code, refused.message);
      assert.is(refused.status, 400);
    }
  });
});
