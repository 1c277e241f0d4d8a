import * as assert from "uvu/assert";
import {
  functions,
  namesIn,
  type Cell,
  type Expression,
} from "../../../../plugins/protocol/index.ts";
import { openEverySource, type EverySource } from "../../../support/everySource.ts";
import { rounds } from "../../../support/layer.ts";
import { createPlainHost, type PlainColumn } from "../../../support/plainHost.ts";
import { createPlainPlugin, everyCapability } from "../../../support/plainPlugin.ts";
import { createRandom, withSeed, type Random } from "../../../support/random.ts";
import { refusal } from "../../../support/refused.ts";
import { embedOf } from "../../../support/restricted.ts";
import { suite } from "../../../support/suite.ts";
import { randomTyped } from "../expressions/randomTyped.ts";

const columns: readonly PlainColumn[] = [
  { id: "n", type: "numeric" },
  { id: "m", type: "numeric" },
  { id: "s", type: "hierarchy" },
  { id: "t", type: "hierarchy" },
  { id: "w", type: "datetime" },
  { id: "v", type: "datetime" },
  { id: "double", type: "numeric", expression: "{D:n} * 2" },
  { id: "size", type: "hierarchy", expression: "if({D:n} > 1, 'large', 'small')" },
  { id: "month", type: "datetime", subtype: "date", expression: "date_of({D:w})" },
];
const rows: readonly (readonly Cell[])[] = [
  [1, 10, "a", "b", "2024-01-31T23:30:00.000Z", null],
  [2, null, "B", "b", "2024-02-10T12:00:00.000Z", "2024-02-29T23:59:59.999Z"],
  [3, 5, null, "ab", "2024-02-10T13:00:00.000Z", "2024-02-10T13:00:00.000Z"],
  [null, 2.5, "ab", null, null, null],
];
const ref = (column_id: string, more: object = {}) => ({ column_id, dataset_id: "D", ...more });
const text = (id: string) => ({ id, name: { en: id } });

function randomRows(random: Random): Cell[][] {
  const cells: Readonly<Record<string, readonly Cell[]>> = {
    numeric: [null, 0, 1, -1, 2.5, 10, 1e6, 1e300, -1e300],
    hierarchy: [null, "", "a", "B", "ab", "Ghent", "a,b,c", "𝒳y", "É", " x "],
    datetime: [
      null,
      "2024-02-29T23:59:59.999Z",
      "2023-12-31T00:00:00.000Z",
      "1969-07-20T20:17:40.000Z",
      "2024-03-31T01:00:00.000Z",
    ],
  };
  const stored = columns.filter(({ expression }) => expression === undefined);
  return Array.from({ length: 30 }, () => stored.map(({ type }) => random.pick(cells[type] ?? [])));
}

suite("core/queries/resolve/derived", (test) => {
  let sources: EverySource;
  test.before(async () => {
    sources = await openEverySource();
  });
  test.after(() => sources.close());

  test("a derived column can be used wherever a source column can be used", async () => {
    for (const [name, host] of await sources.hosts({ columns, rows })) {
      const grouped = await host.sendQuery({
        dimensions: [ref("size")],
        measures: [
          ref("double"),
          ref("double", { aggregation: "median" }),
          ref("size", { aggregation: "max" }),
          ref("n", { aggregation: { type: "weightedaverage", ...ref("double") } }),
        ],
        where: [{ expression: "? != ?", parameters: [ref("double"), 6] }],
        having: [{ expression: "? is not null", parameters: [ref("double")] }],
        order: [ref("size", { order: "desc" })],
      });
      assert.equal(
        grouped.data,
        [
          [text("small"), 2, 2, text("small"), 1],
          [text("large"), 4, 4, text("large"), 2],
        ],
        name,
      );
      const raw = await host.sendQuery({
        dimensions: [ref("n"), ref("month")],
        order: [ref("month", { order: "desc" })],
        options: { rollup_data: false, timezone_id: "Europe/Brussels" },
      });
      assert.equal(
        raw.data,
        [
          [2, "2024-02-10T00:00:00.000Z"],
          [3, "2024-02-10T00:00:00.000Z"],
          [1, "2024-02-01T00:00:00.000Z"],
          [null, null],
        ],
        name,
      );
      const binned = await host.sendQuery({
        dimensions: [ref("double", { discretization: { type: "linear", bins: 2 } })],
        measures: [ref("*", { aggregation: "count" })],
      });
      assert.equal(
        binned.data,
        [
          ["[ 0 - 5 [", 2],
          ["[ 5 - 10 [", 1],
          [null, 1],
        ],
        name,
      );
    }
  });

  test("an inline expression belongs to the dataset whose columns it reads", async () => {
    for (const [name, host] of await sources.hosts({ columns, rows })) {
      const quarter = { expression: "'Q' || cast(quarter({D:v}) as text)" };
      const total = { expression: "{D:n} + coalesce({D:m}, 0)", column_id: "n", dataset_id: "D" };
      const answer = await host.sendQuery({
        dimensions: [quarter],
        measures: [{ ...total, aggregation: "sum" }, ref("n")],
        where: [{ expression: "? > ?", parameters: [total, 1] }],
        order: [{ ...total, aggregation: "sum", order: "desc" }],
      });
      assert.equal(
        answer.data,
        [
          [null, 11, 1],
          [text("Q1"), 10, 5],
        ],
        name,
      );
    }
  });

  test("`now` and `today` use the instant of the request in its time zone, not the plugin's clock", async () => {
    const now = () => Date.parse("2024-02-10T23:30:00.000Z");
    const options = { timezone_id: "Europe/Brussels" };
    const where = [{ expression: "? = ?", parameters: [ref("n"), 2] }];
    const dimensions = [
      { expression: "date_diff('hour', {D:w}, now())" },
      { expression: "today()", dataset_id: "D" },
    ];
    for (const [name, host] of await sources.hosts({ columns, rows, now })) {
      const { data } = await host.sendQuery({ dimensions, where, options });
      assert.equal(data, [[11, "2024-02-11T00:00:00.000Z"]], name);
      for (const { derived = [] } of host.source.requested)
        for (const { expression } of derived)
          for (const each of namesIn(expression).functions) assert.ok(functions.includes(each));
    }
  });

  test("random expressions match the reference implementation, on every kind of source", () => {
    const random = createRandom();
    return withSeed(random, async () => {
      for (let index = 0; index < rounds({ quick: 2, deep: 6 }); index++) {
        const made = randomRows(random);
        const oracle = await createPlainHost({ columns, rows: made });
        const hosts = await sources.hosts({ columns, rows: made });
        for (let count = 0; count < 25; count++) {
          const kind = random.pick(["number", "text", "datetime", "test"] as const);
          const { source } = randomTyped(random, kind, 1 + random.below(4));
          const query = {
            dimensions: [{ expression: source, dataset_id: "D" }],
            measures: [ref("*", { aggregation: "count" })],
          };
          const expected = (await oracle.sendQuery(query)).data;
          for (const [name, host] of hosts) {
            const { data } = await host.sendQuery(query).catch((failure: unknown) => {
              throw new Error(`${name}: ${source}`, { cause: failure });
            });
            assert.equal(data, expected, `${name}: ${source}`);
          }
        }
      }
    });
  });

  test("a plugin receives only expressions whose functions it declares", async () => {
    const expressions = { functions: ["multiply"] as const };
    const source = createPlainPlugin({ ...everyCapability, expressions });
    const host = await createPlainHost({ columns, rows, source });
    await host.sendQuery({ dimensions: [ref("double")] });
    const [requested] = source.requested;
    assert.equal(requested?.derived, [
      {
        id: "derived.0",
        type: "numeric",
        expression: {
          kind: "call",
          function: "multiply",
          args: [
            { kind: "column", column_id: "source.n" },
            { kind: "literal", type: "numeric", value: 2 },
          ],
        } satisfies Expression,
      },
    ]);
    await host.sendQuery({ dimensions: [ref("size")] });
    assert.equal(source.requested[1]?.columns, [{ column_id: "source.n" }]);
    assert.is(source.requested[1]?.derived, undefined);
  });

  test("a source column keeps its name even if a derived column gets the same generated name", async () => {
    const odd: readonly PlainColumn[] = [{ id: "n", type: "numeric" }];
    const host = await createPlainHost({ columns: odd, rows: [[4]] });
    await host.records.insert("column", {
      id: "x",
      type: "numeric",
      securable_id: "D",
      source_name: "derived.0",
      name: { en: "x" },
      order: 1,
    });
    await host.sendQuery({ dimensions: [{ expression: "{D:n} + 1" }] });
    assert.is(host.source.requested[0]?.derived?.[0]?.id, "derived.1");
  });

  test("a query may have at most 200 different expressions, however often each occurs", async () => {
    const host = await createPlainHost({ columns, rows });
    const test = (number: number) => ({
      expression: "? = ?",
      parameters: [{ expression: `{D:n} + ${number}` }, 2],
    });
    const where = (count: number) => [
      { or: Array.from({ length: 300 }, (_, at) => test(at % count)) },
    ];
    const dimensions = [ref("n")];
    assert.equal((await host.sendQuery({ dimensions, where: where(200) })).data, [[1], [2]]);
    const refused = await refusal(host.sendQuery({ dimensions, where: where(201) }));
    assert.match(
      refused.message,
      /where\[0\]\.or\[200\]\.parameters\[0\]\.expression.*at most 200/,
    );
  });

  test("an expression cannot use columns that the caller may not see", async () => {
    const host = await createPlainHost({ columns, rows });
    const principal = embedOf({ hiddenColumns: new Set(["n"]) });
    for (const [dimension, told] of [
      [ref("double"), /dimensions\[0\]\.column_id.*cannot be computed from the columns that you/],
      [{ expression: "{D:n} + 1" }, /dimensions\[0\]\.expression.*line 1, column 1/],
    ] as const) {
      const refused = await refusal(host.askAs(principal, { dimensions: [dimension] }));
      assert.is(refused.code, "MEMBER_INVALID");
      assert.match(refused.message, told);
    }
    assert.is(host.source.requested.length, 0);
  });

  test("an invalid expression fails with 400, and the error names the member, the line and the column", async () => {
    const host = await createPlainHost({ columns, rows });
    const place = (expression: string, more: object = {}) => ({
      dimensions: [{ expression, ...more }],
    });
    const cases: readonly (readonly [object, string, RegExp])[] = [
      [place("{D:n} +"), "MEMBER_INVALID", /dimensions\[0\]\.expression.*line 1, column 8/],
      [place("{D:n} + {D:s}"), "MEMBER_INVALID", /dimensions\[0\]\.expression.*a number/],
      [place("{D:nope}"), "MEMBER_INVALID", /dimensions\[0\]\.expression/],
      [place("sum({D:n})"), "MEMBER_INVALID", /dimensions\[0\]\.expression/],
      [place("{D:double} + 1"), "MEMBER_INVALID", /a derived column/],
      [place("{D:n} + {E:n}"), "MEMBER_INVALID", /dimensions\[0\]\.expression/],
      [place("1 + 1"), "MEMBER_MISSING", /dimensions\[0\]\.dataset_id/],
      [place("{D:n}", { column_id: "*" }), "MEMBER_INVALID", /dimensions\[0\]\.column_id/],
      [place("{D:n}", { level: 3 }), "MEMBER_INVALID", /only datetime columns have levels/],
      [
        { measures: [{ expression: "{D:s}", aggregation: "sum" }] },
        "MEMBER_INVALID",
        /sum needs a numeric column/,
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
