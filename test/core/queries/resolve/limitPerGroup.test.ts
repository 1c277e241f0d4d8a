import * as assert from "uvu/assert";
import type { Cell } from "../../../../plugins/protocol/index.ts";
import { openEverySource, type EverySource } from "../../../support/everySource.ts";
import type { PlainColumn } from "../../../support/plainHost.ts";
import { refusal } from "../../../support/refused.ts";
import { embedOf, rowFilter } from "../../../support/restricted.ts";
import { suite } from "../../../support/suite.ts";

const columns: readonly PlainColumn[] = [
  { id: "city", type: "hierarchy" },
  { id: "shop", type: "hierarchy" },
  { id: "km", type: "numeric" },
  { id: "day", type: "datetime" },
];
const rows: readonly (readonly Cell[])[] = [
  ["a", "x", 1, "2024-01-01T10:00:00.000Z"],
  ["a", "y", 5, "2024-01-02T10:00:00.000Z"],
  ["a", "z", 3, "2024-02-01T10:00:00.000Z"],
  ["b", "x", 12, "2024-02-01T11:00:00.000Z"],
  ["b", "y", null, "2024-02-03T10:00:00.000Z"],
  [null, "x", 7, "2024-02-03T10:00:00.000Z"],
  [null, "y", 7, null],
];
const ref = (column_id: string, more: object = {}) => ({ column_id, dataset_id: "D", ...more });
const options = { cells: "plain" };
const byKm = { order: [ref("km", { order: "desc" })], options };
const groups = { dimensions: [ref("city"), ref("shop")], measures: [ref("km")], ...byKm };
const plain = { ...groups, options: { ...options, rollup_data: false } };
const steps = (explained: unknown) =>
  (
    explained as {
      readonly explain: { readonly steps: readonly { readonly clause: string }[] };
    }
  ).explain.steps.find(({ clause }) => clause === "grouplimit");

suite("core/queries/resolve/limitPerGroup", (test) => {
  let sources: EverySource;
  test.before(async () => {
    sources = await openEverySource();
  });
  test.after(() => sources.close());

  test("`limit.per` keeps the first groups or rows for each value of a dimension, in the order of the answer", async () => {
    const expected = [
      ["b", "x", 12],
      [null, "x", 7],
      [null, "y", 7],
      ["a", "y", 5],
      ["a", "z", 3],
      ["b", "y", null],
    ];
    for (const [name, host] of await sources.hosts({ columns, rows })) {
      for (const query of [groups, plain]) {
        const limit = { by: 2, per: [ref("city")] };
        assert.equal((await host.sendQuery({ ...query, limit })).data, expected, name);
      }
    }
  });

  test("`limit.offset` skips rows of each group, and `options.paging` selects a page of all rows", async () => {
    for (const [name, host] of await sources.hosts({ columns, rows })) {
      const skipped = { ...groups, limit: { by: 1, offset: 1, per: [ref("city")] } };
      assert.equal(
        (await host.sendQuery(skipped)).data,
        [
          [null, "y", 7],
          ["a", "z", 3],
          ["b", "y", null],
        ],
        name,
      );
      const paging = { by: 1, offset: 1 };
      const paged = { ...skipped, options: { ...options, paging } };
      assert.equal((await host.sendQuery(paged)).data, [["a", "z", 3]], name);
    }
  });

  test("`limit.per` can limit the groups per period or bin", async () => {
    for (const [name, host] of await sources.hosts({ columns, rows })) {
      const month = ref("day", { level: 3 });
      const query = {
        dimensions: [month, ref("city")],
        measures: [ref("km")],
        limit: { by: 1, per: [month] },
        ...byKm,
      };
      assert.equal(
        (await host.sendQuery(query)).data,
        [
          ["2024-02-01T00:00:00.000Z", "b", 12],
          ["2024-01-01T00:00:00.000Z", "a", 6],
          [null, null, 7],
        ].toSorted((one, other) => Number(other[2]) - Number(one[2])),
        name,
      );
      const bin = ref("km", { discretization: { type: "linear", size: 10 } });
      const binned = {
        dimensions: [bin, ref("shop")],
        measures: [ref("*", { aggregation: "count" })],
        order: [ref("*", { aggregation: "count", order: "desc" })],
        limit: { by: 1, per: [bin] },
        options,
      };
      assert.equal(
        (await host.sendQuery(binned)).data,
        [
          ["[ 0 - 10 [", "x", 2],
          ["[ 10 - 20 [", "x", 1],
          [null, "y", 1],
        ].toSorted((one, other) => Number(other[2]) - Number(one[2])),
        name,
      );
    }
  });

  test("formulas, `having`, cumulative sums, added groups and sorting by language are applied before `limit.per`", async () => {
    for (const [name, host] of await sources.hosts({ columns, rows })) {
      const formula = { formula: "sum({D:km}) * 2" };
      const dimensions = [ref("city"), ref("shop")];
      const limit = { by: 1, per: [ref("city")] };
      const ordered = {
        dimensions,
        measures: [formula],
        having: [{ expression: "? < ?", parameters: [formula, 24] }],
        order: [{ ...formula, order: "desc" }],
        limit,
        options,
      };
      assert.equal(
        (await host.sendQuery(ordered)).data,
        [
          [null, "x", 14],
          ["a", "y", 10],
        ],
        name,
      );
      const running = {
        dimensions,
        measures: [ref("km", { aggregation: "cumulativesum" })],
        limit: { ...limit, offset: 1 },
        options,
      };
      assert.equal(
        (await host.sendQuery(running)).data,
        [
          ["a", "y", 6],
          ["b", "y", 21],
          [null, "y", 35],
        ],
        name,
      );
      const added = {
        dimensions: [ref("city"), ref("shop", { include_nonoccurring: true })],
        measures: [ref("*", { aggregation: "count" })],
        limit: { by: 1, offset: 2, per: [ref("city")] },
        options,
      };
      assert.equal(
        (await host.sendQuery(added)).data,
        [
          ["a", "z", 1],
          ["b", "z", 0],
          [null, "z", 0],
        ],
        name,
      );
      const language = { ...groups, limit, options: { ...options, locale_id: "nl" } };
      const inLanguage = { ...language, order: [ref("shop", { order: "desc" })] };
      assert.equal(
        (await host.sendQuery(inLanguage)).data,
        [
          ["a", "z", 3],
          ["b", "y", null],
          [null, "y", 7],
        ],
        name,
      );
    }
  });

  test("a token's row filters are applied before `limit.per`", async () => {
    for (const [name, host] of await sources.hosts({ columns, rows })) {
      const principal = embedOf({ filters: [rowFilter("km", "? < ?", 5)] });
      const query = { ...groups, limit: { by: 1, per: [ref("city")] } };
      assert.equal((await host.askAs(principal, query)).data, [["a", "z", 3]], name);
    }
  });

  test("the explanation says whether a plugin carries out `limit.per`", async () => {
    for (const [name, host] of await sources.hosts({ columns, rows })) {
      const isPushed = /^strata$|as the store$|every capability/.test(name);
      const explained = await host.explain({ ...groups, limit: { by: 1, per: [ref("city")] } });
      assert.equal((steps(explained) as { pushed?: boolean } | undefined)?.pushed, isPushed, name);
      assert.is(steps(await host.explain(groups)), undefined);
    }
  });

  const wrong: readonly (readonly [object, RegExp])[] = [
    [{ limit: { per: [ref("city")] } }, /^limit\.by is required/],
    [{ limit: { by: 1, per: [] } }, /^limit\.per .*at least one dimension/],
    [{ limit: { by: 1, per: ref("city") } }, /^limit\.per .*must be a list/],
    [
      { limit: { by: 1, per: Array.from({ length: 201 }, () => ref("city")) } },
      /^limit\.per .*at most 200 dimensions/,
    ],
    [{ limit: { by: 1, each: [] } }, /^limit\.each is unknown; known members: by, offset, per/],
    [{ limit: { by: 1, per: [ref("day")] } }, /^limit\.per\[0\] .*must be a dimension or measure/],
    [
      { limit: { by: 1, per: [ref("km", { aggregation: "sum" })] } },
      /^limit\.per\[0\] .*must be a dimension of the query, not a measure/,
    ],
    [{ limit: { by: 1, per: [ref("km")] } }, /^limit\.per\[0\] .*dimension of the query, not/],
    [{ limit: { by: -1, per: [ref("city")] } }, /^limit\.by .*whole number/],
    [
      { options: { paging: { by: 1, per: [ref("city")] } } },
      /^options\.paging\.per is unknown; known members: by, offset/,
    ],
  ];
  test("an error names the invalid member of `limit`", async () => {
    const host = await sources.stored({ columns, rows });
    for (const [change, message] of wrong) {
      const failure = await refusal(host.sendQuery({ ...groups, ...change }));
      assert.match(failure.message, message);
      assert.is(failure.status, 400);
    }
  });
});
