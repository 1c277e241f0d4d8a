import * as assert from "uvu/assert";
import type { Cell } from "../../../../plugins/protocol/index.ts";
import { openEverySource, type EverySource } from "../../../support/everySource.ts";
import { createPlainHost, type PlainColumn } from "../../../support/plainHost.ts";
import { refusal } from "../../../support/refused.ts";
import { embedOf, rowFilter } from "../../../support/restricted.ts";
import { suite } from "../../../support/suite.ts";

const columns: readonly PlainColumn[] = [
  { id: "city", type: "hierarchy" },
  { id: "km", type: "numeric" },
  { id: "people", type: "numeric" },
  { id: "double", type: "numeric", expression: "{D:km} * 2" },
  { id: "loud", type: "hierarchy", expression: "upper({D:city})" },
  { id: "broken", type: "numeric", expression: "{D:km} *" },
];
const rows: readonly (readonly Cell[])[] = [
  ["a", 1, 2],
  ["a", 5, 1],
  ["b", 12, 4],
  ["b", null, 4],
  ["c", 7, 0],
  [null, null, null],
];
const ref = (column_id: string, more: object = {}) => ({ column_id, dataset_id: "D", ...more });
const text = (id: string) => ({ id, name: { en: id } });
const ratio = { formula: "SUM({D:km}) / SUM({D:people})" };

suite("core/queries/resolve/formulas", (test) => {
  let sources: EverySource;
  test.before(async () => {
    sources = await openEverySource();
  });
  test.after(() => sources.close());

  test("a formula is computed from the aggregates of each group, on every kind of source", async () => {
    for (const [name, host] of await sources.hosts({ columns, rows })) {
      const { data } = await host.sendQuery({
        dimensions: [ref("city")],
        measures: [
          ratio,
          ref("km"),
          { formula: "COUNTR() - COUNT({D:km})", dataset_id: "D" },
          { formula: "percentile({D:km} * 10, 0.5) + average({D:people})" },
          { formula: "max({D:city}) || '!'" },
        ],
      });
      assert.equal(
        data,
        [
          [text("a"), 2, 6, 0, 31.5, text("a!")],
          [text("b"), 1.5, 12, 1, 124, text("b!")],
          [text("c"), null, 7, 0, 70, text("c!")],
          [null, null, null, 1, null, null],
        ],
        name,
      );
      assert.equal((await host.sendQuery({ measures: [ratio] })).data, [[25 / 11]], name);
    }
  });

  test("an aggregate with a condition uses only the rows that pass it, as a formula and as a measure", async () => {
    for (const [name, host] of await sources.hosts({ columns, rows })) {
      const { data } = await host.sendQuery({
        dimensions: [ref("city")],
        measures: [
          { formula: "100 * sum(if({D:km} > 4, {D:km}, 0)) / sum({D:km})" },
          { formula: "count(if({D:km} > 4, 1))" },
          { expression: "if({D:km} > 4, {D:people})", aggregation: "average" },
        ],
        options: { cells: "plain" },
      });
      assert.equal(
        data,
        [
          ["a", 500 / 6, 1, 1],
          ["b", 100, 1, 4],
          ["c", 100, 1, 0],
          [null, null, 0, null],
        ],
        name,
      );
    }
  });

  test("a formula can aggregate derived columns, directly and inside expressions", async () => {
    for (const [name, host] of await sources.hosts({ columns, rows })) {
      const { data } = await host.sendQuery({
        dimensions: [ref("city")],
        measures: [
          { formula: "SUM({D:double}) / COUNT({D:loud})" },
          { formula: "SUM({D:double} + {D:people})" },
          { formula: "MAX({D:loud})" },
          ref("double"),
        ],
      });
      assert.equal(
        data,
        [
          [text("a"), 6, 15, text("A"), 12],
          [text("b"), 12, 28, text("B"), 24],
          [text("c"), 14, 14, text("C"), 14],
          [null, null, null, null, null],
        ],
        name,
      );
    }
  });

  test("formulas work with `having`, `order`, `limit` and cumulative sums", async () => {
    for (const [name, host] of await sources.hosts({ columns, rows })) {
      const query = { dimensions: [ref("city")], measures: [ratio] };
      const sorted = await host.sendQuery({
        ...query,
        order: [{ ...ratio, order: "desc" }],
        limit: { by: 2, offset: 1 },
      });
      assert.equal(
        sorted.data,
        [
          [text("b"), 1.5],
          [text("c"), null],
        ],
        name,
      );
      const having = [
        { expression: "? > ?", parameters: [{ formula: "COUNTR()", dataset_id: "D" }, 1] },
      ];
      const running = await host.sendQuery({
        dimensions: [ref("city")],
        measures: [ref("km", { aggregation: "cumulativesum" }), ratio],
        having: [...having, { expression: "? is not null", parameters: [ratio] }],
        order: [{ ...ratio, order: "asc" }],
      });
      assert.equal(
        running.data,
        [
          [text("b"), 12, 1.5],
          [text("a"), 18, 2],
        ],
        name,
      );
      const complete = await host.sendQuery({
        dimensions: [ref("city", { include_nonoccurring: true })],
        measures: [{ formula: "COUNTR() * 10", dataset_id: "D" }],
        where: [{ expression: "? > ?", parameters: [ref("km"), 6] }],
      });
      assert.equal(
        complete.data,
        [
          [text("a"), 0],
          [text("b"), 10],
          [text("c"), 10],
          [null, 0],
        ],
        name,
      );
    }
  });

  test("a plugin that groups receives each aggregate of a formula once", async () => {
    const hosts = await sources.hosts({ columns, rows });
    for (const [name, host] of hosts.filter(([kind]) => kind.includes("every capability"))) {
      await host.sendQuery({ dimensions: [ref("city")], measures: [ratio, ref("km")] });
      const [requested] = host.source.requested;
      assert.equal(
        requested?.columns,
        [
          { column_id: "source.city" },
          { column_id: "source.km", aggregation: "sum" },
          { column_id: "source.people", aggregation: "sum" },
        ],
        name,
      );
      assert.equal([requested?.limit, requested?.order], [undefined, undefined]);
    }
  });

  test("aggregating a test fails, and the error says how to use only the rows that pass the test", async () => {
    const host = await createPlainHost({ columns, rows });
    for (const name of ["count", "countd", "max", "sum"]) {
      const refused = await refusal(
        host.sendQuery({ measures: [{ formula: `${name}({D:km} > 4)` }] }),
      );
      assert.is(refused.code, "MEMBER_INVALID");
      assert.match(refused.message, /measures\[0\]\.formula.*found a test.*\(if\(test, 1\)\)/);
    }
    assert.equal(
      (await host.sendQuery({ measures: [{ formula: "count(if({D:km} > 4, 1))" }] })).data,
      [[3]],
    );
  });

  test("the plugin applies the limit unless a formula filters or orders the groups", async () => {
    const page = { limit: { by: 2, offset: 1 } };
    const cases: readonly (readonly [object, boolean])[] = [
      [{}, true],
      [{ order: [ref("km", { aggregation: "sum", order: "desc" })] }, true],
      [{ order: [{ ...ratio, order: "desc" }] }, false],
      [{ having: [{ expression: "? is not null", parameters: [ratio] }] }, false],
      [
        { having: [{ expression: "? > ?", parameters: [ref("km", { aggregation: "sum" }), 0] }] },
        false,
      ],
      [{ measures: [ratio, ref("km", { aggregation: "cumulativesum" })] }, false],
      [{ dimensions: [ref("city", { include_nonoccurring: true })] }, false],
      [{ options: { locale_id: "en" } }, false],
    ];
    for (const [more, isPushed] of cases) {
      const query = { dimensions: [ref("city")], measures: [ratio, ref("km")], ...page, ...more };
      const answers: unknown[] = [];
      for (const [name, host] of await sources.hosts({ columns, rows })) {
        answers.push((await host.sendQuery(query)).data);
        assert.equal(answers.at(-1), answers[0], `${name} ${JSON.stringify(more)}`);
        if (name !== "a plugin with every capability") continue;
        assert.is(host.source.requested[0]?.limit?.by === 2, isPushed, JSON.stringify(more));
      }
    }
  });

  test("a caller who may read a stored formula can use it in queries", async () => {
    const host = await createPlainHost({ columns, rows });
    const record = { id: "F", expression: ratio.formula, owner_id: "ada" };
    await host.records.insert("formula", record);
    const query = {
      dimensions: [ref("city")],
      measures: [{ formula_id: "F", dataset_id: "D" }],
      order: [{ formula_id: "F", order: "desc" }],
      having: [{ expression: "? > ?", parameters: [{ formula_id: "F" }, 0] }],
    };
    assert.equal((await host.sendQuery(query)).data, [
      [text("a"), 2],
      [text("b"), 1.5],
    ]);
    host.records.grant("D", "eve", "read");
    const refused = await refusal(host.sendQuery(query, "eve"));
    assert.is(refused.code, "RECORD_NOT_FOUND");
    const unknown = { measures: [{ formula_id: "G", dataset_id: "D" }] };
    assert.is((await refusal(host.sendQuery(unknown))).message, refused.message.replace("F", "G"));
  });

  test("a formula uses only rows and columns that the caller may see", async () => {
    const host = await createPlainHost({ columns, rows });
    const filtered = embedOf({ filters: [rowFilter("city", "? = ?", "b")] });
    assert.equal((await host.askAs(filtered, { measures: [ratio] })).data, [[1.5]]);
    const hidden = embedOf({ hiddenColumns: new Set(["people"]) });
    const refused = await refusal(host.askAs(hidden, { measures: [ratio] }));
    assert.match(refused.message, /measures\[0\]\.formula.*line 1, column 19/);
  });

  test("an invalid formula fails with 400, and the error names the mistake", async () => {
    const host = await createPlainHost({ columns, rows });
    const measure = (formula: string, more: object = {}) => ({ measures: [{ formula, ...more }] });
    const cases: readonly (readonly [object, RegExp])[] = [
      [measure("SUM({D:km}"), /measures\[0\]\.formula.*line 1, column 11/],
      [measure("{D:km} * 2"), /measures\[0\]\.formula/],
      [measure("SUM({D:city})"), /measures\[0\]\.formula.*a number/],
      [measure("{D:double} * 2"), /measures\[0\]\.formula/],
      [
        measure("SUM({D:broken})"),
        /measures\[0\]\.formula.*the derived column broken .*cannot be computed/,
      ],
      [measure("SUM({D:km}) + {E:x}"), /measures\[0\]\.formula/],
      [measure("SUM({D:km})", { aggregation: "sum" }), /measures\[0\]\.aggregation/],
      [measure("SUM({D:km})", { formula_id: "F" }), /measures\[0\]\.formula_id/],
      [measure("SUM({D:km})", { column_id: "km" }), /measures\[0\]\.column_id/],
      [{ dimensions: [ratio] }, /dimensions\[0\]\.formula/],
      [{ ...measure("SUM({D:km})"), options: { rollup_data: false } }, /measures\[0\]\.formula/],
      [
        {
          measures: [ref("km")],
          where: [{ expression: "? > ?", parameters: [ratio, 1] }],
        },
        /where\[0\]\.parameters\[0\]\.formula/,
      ],
      [{ measures: [ref("km")], order: [ratio] }, /order\[0\].*must be a dimension or measure/],
      [
        { measures: [ratio], having: [{ expression: "? like ?", parameters: [ratio, "a"] }] },
        /having\[0\]\.expression/,
      ],
    ];
    for (const [query, message] of cases) {
      const refused = await refusal(host.sendQuery(query));
      assert.match(refused.message, message);
      assert.is(refused.code, "MEMBER_INVALID", refused.message);
    }
    const nowhere = await refusal(host.sendQuery(measure("COUNTR()")));
    assert.is(nowhere.code, "MEMBER_MISSING");
    assert.is(
      nowhere.message,
      "measures[0].dataset_id is required: the formula does not reference a column; name the dataset whose rows it counts",
    );
  });
});
