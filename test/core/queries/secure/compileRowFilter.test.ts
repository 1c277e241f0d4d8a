import * as assert from "uvu/assert";
import { relativeWords } from "../../../../core/queries/parsedQuery.ts";
import {
  functions,
  type Capabilities,
  type Cell,
  type Plugin,
} from "../../../../plugins/protocol/index.ts";
import { legacyPushdown, openEverySource, type EverySource } from "../../../support/everySource.ts";
import { createJoinedHost } from "../../../support/joinedHost.ts";
import { createPlainPlugin, everyCapability } from "../../../support/plainPlugin.ts";
import { createPlainHost, type PlainColumn } from "../../../support/plainHost.ts";
import { createRandom, withSeed } from "../../../support/random.ts";
import { refusal } from "../../../support/refused.ts";
import { embedOf, override, rowFilter } from "../../../support/restricted.ts";
import { rounds } from "../../../support/layer.ts";
import { suite } from "../../../support/suite.ts";

const columns: readonly PlainColumn[] = [
  { id: "tenant", type: "hierarchy" },
  { id: "km", type: "numeric" },
  { id: "at", type: "datetime" },
  { id: "day", type: "datetime", subtype: "date" },
  { id: "region", type: "hierarchy", expression: "upper(left({D:tenant}, 1))" },
  { id: "isFar", type: "hierarchy", expression: "{D:km} > 3" },
  { id: "age", type: "numeric", expression: "date_diff('day', {D:at}, now())" },
  { id: "broken", type: "numeric", expression: "{D:nosuch} + {D:km}" },
  { id: "hour", type: "numeric", expression: "hour({D:at})" },
];
const rows: readonly (readonly Cell[])[] = [
  ["a1", 1, "2024-04-02T01:00:00.000Z", "2024-04-02T00:00:00.000Z"],
  ["a2", 2, "2024-04-01T23:30:00.000Z", "2024-04-01T00:00:00.000Z"],
  ["b1", 4, "2024-03-31T12:00:00.000Z", "2024-03-31T00:00:00.000Z"],
  ["b2", 8, "2023-04-02T01:00:00.000Z", "2023-04-02T00:00:00.000Z"],
  [null, 16, null, null],
];
const nowMs = Date.parse("2024-04-02T01:30:00.000Z");
const ref = (column_id: string, more: object = {}) => ({ column_id, dataset_id: "D", ...more });
const total = { measures: [ref("km")] };

suite("core/queries/secure/compileRowFilter", (test) => {
  let sources: EverySource;
  test.before(async () => {
    sources = await openEverySource();
  });
  test.after(() => sources.close());
  const hosts = () => sources.hosts({ columns, rows, now: () => nowMs });

  test("a row filter can test a derived column, on every kind of source", async () => {
    for (const [name, host] of await hosts()) {
      const sum = async (...filters: ReturnType<typeof rowFilter>[]) =>
        (await host.askAs(embedOf({ filters }), total)).data[0]?.[0];
      assert.is(await sum(rowFilter("region", "? = ?", "A")), 3, name);
      assert.is(await sum(rowFilter("region", "? != ?", "A")), 28, name);
      assert.is(await sum(rowFilter("region", "? in ?", ["B", null])), 28, name);
      assert.is(await sum(rowFilter("region", "? in ?", [])), null, name);
      assert.is(await sum(rowFilter("isFar", "? = ?", "true")), 28, name);
      assert.is(await sum(rowFilter("age", "? <= ?", 2)), 7, name);
      const parameter = { parameter: "metadata.r", type: "hierarchy", value: "B" };
      assert.is(await sum(rowFilter("region", "? = ?", parameter)), 12, name);
      const several = [rowFilter("region", "? = ?", "A"), rowFilter("tenant", "? = ?", "a2")];
      assert.is(await sum(...several, rowFilter("region", "? is not null")), 2, name);
    }
  });

  test("a row filter can test a hidden derived column, and a derived column that reads hidden columns", async () => {
    for (const [name, host] of await hosts()) {
      const self = embedOf({
        filters: [rowFilter("region", "? = ?", "A")],
        hiddenColumns: new Set(["tenant", "region"]),
      });
      assert.equal((await host.askAs(self, total)).data, [[3]], name);
      for (const query of [
        { dimensions: [ref("region")] },
        { dimensions: [{ expression: "{D:region}", dataset_id: "D" }] },
        { dimensions: [{ expression: "{D:tenant}", dataset_id: "D" }] },
        { dimensions: [ref("secured.0")] },
      ])
        assert.is((await refusal(host.askAs(self, query))).status, 400, name);
    }
  });

  test("a derived column of a query and a derived column of a row filter do not affect each other", async () => {
    for (const [name, host] of await hosts()) {
      const self = embedOf({ filters: [rowFilter("region", "? = ?", "B")] });
      const { data } = await host.askAs(self, {
        dimensions: [ref("region"), { expression: "{D:km} * 2", dataset_id: "D" }],
        measures: [{ formula: "SUM({D:km} + 1)" }],
        where: [{ expression: "? = ?", parameters: [ref("isFar"), "true"] }],
      });
      const text = (id: string) => ({ id, name: { en: id } });
      assert.equal(
        data,
        [
          [text("B"), 8, 5],
          [text("B"), 16, 9],
        ],
        name,
      );
    }
  });

  test("relative dates in row filters are computed in UTC at the instant of the call, whatever the query's time zone", async () => {
    const cases: readonly [string, string, unknown, Cell][] = [
      ["at", "to_date", { unit: 5 }, 1],
      ["at", "to_date", { unit: 3 }, 3],
      ["at", "YTD", undefined, 7],
      ["at", "last_now", { unit: 5, quantity: 2 }, 7],
      ["at", "ago", { unit: 1, quantity: 1 }, 8],
      ["at", "last_completed", { unit: 5 }, 2],
      ["at", "more_than_ago", { unit: 5, quantity: 0 }, 14],
      ["day", "to_date", { unit: 5 }, 1],
      ["day", "last_completed", { unit: 5, quantity: -2 }, 6],
    ];
    for (const [name, host] of await hosts())
      for (const timezone_id of [undefined, "America/New_York", "Pacific/Kiritimati"])
        for (const [column, word, value, sum] of cases) {
          const self = embedOf({ filters: [rowFilter(column, word, value)] });
          const { data } = await host.askAs(self, { ...total, options: { timezone_id } });
          assert.equal(data, [[sum]], `${name} ${column} ${word} ${timezone_id}`);
        }
  });

  test("a derived column in a row filter reads the clock in UTC, whatever the query's time zone", async () => {
    for (const [name, host] of await hosts()) {
      const self = embedOf({ filters: [rowFilter("hour", "? = ?", 1)] });
      for (const timezone_id of ["UTC", "Asia/Kolkata"]) {
        const { data } = await host.askAs(self, { ...total, options: { timezone_id } });
        assert.equal(data, [[9]], name);
      }
    }
  });

  test("a row filter and a `where` test with the same relative date keep the same rows in UTC", async () => {
    const random = createRandom();
    await withSeed(random, async () => {
      const host = await createPlainHost({ columns, rows, now: () => nowMs });
      for (let index = 0; index < rounds({ quick: 35, deep: 100 }); index++) {
        const word = random.pick(relativeWords.filter((each) => each !== "last_available"));
        const column = random.pick(["at", "day"]);
        const unit = 1 + random.below(column === "day" ? 5 : 7);
        const value = { unit, quantity: random.below(4) };
        const where = [{ expression: word, parameters: [ref(column), value] }];
        const self = embedOf({ filters: [rowFilter(column, word, value)] });
        assert.equal(
          (await host.askAs(self, total)).data,
          (await host.sendQuery({ ...total, where })).data,
          `${word} ${JSON.stringify(value)}`,
        );
      }
    });
  });

  test("an invalid row filter makes the dataset unavailable, and the error reveals no value and no other column", async () => {
    const parameter = (type: string) => ({ parameter: "t", type });
    const canary = embedOf({
      parameters: new Map([["t", override("canary", { sensitive: true })]]),
    });
    const cases: readonly [ReturnType<typeof rowFilter>, RegExp][] = [
      [rowFilter("broken", "? = ?", 1), /filters\[0\]\.column_id.*cannot be computed/],
      [rowFilter("at", "last_available", { unit: 5 }), /filters\[0\]\.expression.*last_available/],
      [rowFilter("region", "? > ?", "A"), /filters\[0\]\.expression.*hierarchy/],
      [rowFilter("region", "? = ?", 4), /filters\[0\]\.value.*a string/],
      [rowFilter("km", "? in ?", [1, "2"]), /filters\[0\]\.value.*a number/],
      [rowFilter("km", "? in ?", [1, true]), /filters\[0\]\.value\[1\]/],
      [rowFilter("km", "to_date", { unit: 1 }), /filters\[0\]\.expression.*datetime/],
      [rowFilter("at", "to_date", { unit: 12 }), /filters\[0\]\.value\.unit/],
      [rowFilter("at", "ago", { unit: 1, quantity: 0.5 }), /filters\[0\]\.value\.quantity/],
      [rowFilter("at", "ago", { unit: 1, quantity: 1e6 }), /filters\[0\]\.value\.quantity/],
      [rowFilter("at", "ago", "canary"), /filters\[0\]\.value.*an object/],
      [rowFilter("at", "ago", { unit: 1, canary: 1 }), /filters\[0\]\.value\.canary/],
      [rowFilter("day", "last_now", { unit: 6 }), /filters\[0\]\.value\.unit.*without a time/],
      [rowFilter("at", "ago", parameter("datetime")), /filters\[0\]\.value.*must be datetime/],
      [rowFilter("region", "? in ?", parameter("hierarchy")), /filters\[0\]\.value.*list/],
      [rowFilter("age", "? = ?", parameter("numeric")), /filters\[0\]\.value.*must be numeric/],
      [rowFilter("age", "? = ?", parameter("hierarchy")), /filters\[0\]\.value\.type/],
    ];
    for (const [name, host] of await hosts())
      for (const [filter, message] of cases) {
        const self = { ...canary, restriction: { ...canary.restriction, filters: [filter] } };
        const refused = await refusal(host.askAs(self as typeof canary, total));
        assert.is(refused.code, "ROWS_CLOSED", `${name} ${refused.message}`);
        assert.match(refused.message, message);
        assert.not.match(refused.message, /nosuch|"canary"|'canary'|= canary/);
      }
  });

  test("row filters on derived columns of joined datasets are tested in each dataset separately", async () => {
    const sales = {
      id: "S",
      columns: [
        { id: "shop", type: "hierarchy" },
        { id: "eur", type: "numeric" },
        { id: "sold", type: "datetime" },
        { id: "isLarge", type: "hierarchy", expression: "{S:eur} > 2" },
      ],
      rows: [
        ["a1", 1, "2024-04-02T00:00:00.000Z"],
        ["a2", 3, "2024-04-02T00:00:00.000Z"],
        ["b1", 5, "2024-04-01T00:00:00.000Z"],
        ["gone", 7, "2024-04-02T00:00:00.000Z"],
        [null, 9, null],
      ],
    } as const;
    const shops = {
      id: "P",
      columns: [
        { id: "code", type: "hierarchy" },
        { id: "opened", type: "datetime" },
        { id: "first", type: "hierarchy", expression: "upper(left({P:code}, 1))" },
      ],
      rows: [
        ["a1", "2024-01-01T00:00:00.000Z"],
        ["a2", "2020-01-01T00:00:00.000Z"],
        ["b1", "2024-02-01T00:00:00.000Z"],
      ],
    } as const;
    const on = (dataset: string, ...rest: Parameters<typeof rowFilter>) => ({
      ...rowFilter(...rest),
      securable_id: dataset,
    });
    const cases: readonly (readonly [ReturnType<typeof on>[], Cell])[] = [
      [[on("P", "first", "? = ?", "A")], 4],
      [[on("P", "first", "? != ?", "A")], 5],
      [[on("P", "first", "? is null")], null],
      [[on("S", "isLarge", "? = ?", "true"), on("P", "first", "? = ?", "A")], 3],
      [[on("S", "isLarge", "? = ?", "true"), on("P", "first", "? = ?", "B")], 5],
      [[on("P", "opened", "YTD")], 6],
      [[on("P", "opened", "YTD"), on("S", "sold", "to_date", { unit: 5 })], 1],
      [[on("P", "first", "? in ?", [])], null],
    ];
    const one = createPlainPlugin({ ...everyCapability, joins: true });
    const plugins: readonly Readonly<Record<string, Plugin>>[] = [
      { S: one, P: one },
      {},
      { S: createPlainPlugin({}), P: createPlainPlugin(legacyPushdown) },
    ];
    for (const [index, held] of plugins.entries()) {
      const joined = await createJoinedHost({
        datasets: [sales, shops],
        links: [["shop", "code"]],
        plugins: held,
        now: () => nowMs,
      });
      for (const [filters, expected] of cases) {
        const { data } = await joined.sendQuery(
          {
            measures: [{ column_id: "eur", dataset_id: "S" }],
            where: [
              {
                expression: "? is not null",
                parameters: [{ column_id: "opened", dataset_id: "P" }],
              },
            ],
          },
          embedOf({ filters, hiddenColumns: new Set(["first", "isLarge"]) }),
        );
        assert.equal(data, [[expected]], `${index} ${JSON.stringify(filters)}`);
      }
    }
  });

  test("random row filters keep the same rows as the same tests in `where`, whatever the plugin can do", async () => {
    const random = createRandom();
    await withSeed(random, async () => {
      const capable = (): Capabilities => ({
        ...everyCapability,
        ...(random.chance(0.5) && { expressions: { functions: random.some(functions, 0.8) } }),
        ...(random.chance(0.3) && { filters: { operators: { "=": ["hierarchy"] } } }),
        ...(random.chance(0.3) && { grouping: { aggregations: ["count"], levels: [] } }),
        limit: random.chance(0.5),
      });
      const tests: readonly (() => readonly [string, string, unknown])[] = [
        () => [
          "region",
          random.pick(["? = ?", "? != ?", "? like ?"]),
          random.pick(["A", "B", "C"]),
        ],
        () => ["region", random.pick(["? in ?", "? not in ?"]), random.some(["A", "B", null], 0.5)],
        () => ["isFar", "? = ?", random.pick(["true", "false"])],
        () => ["age", random.pick(["? < ?", "? >= ?"]), random.below(4)],
        () => ["hour", "? between ?", [0, random.below(24)]],
        () => ["at", random.pick(["to_date", "last_now", "ago"]), { unit: 1 + random.below(6) }],
        () => ["km", random.pick(["? is null", "? is not null"]), undefined],
        () => ["tenant", "? starts with ?", random.pick(["a", "B", ""])],
      ];
      for (let index = 0; index < rounds({ quick: 32, deep: 80 }); index++) {
        const chosen = random.some(tests, 0.3).map((make) => make());
        const where = chosen.map(([column, expression, value]) => ({
          expression,
          parameters: value === undefined ? [ref(column)] : [ref(column), value],
        }));
        const isEmpty = chosen.some(([, , value]) => Array.isArray(value) && value.length === 0);
        const filters = chosen.map((each) => rowFilter(...each));
        const source = createPlainPlugin(random.chance(0.2) ? {} : capable());
        const host = await createPlainHost({ columns, rows, source, now: () => nowMs });
        const query = { dimensions: random.some([ref("tenant"), ref("region")], 0.5), ...total };
        const expected = isEmpty
          ? { data: query.dimensions.length > 0 ? [] : [[null]] }
          : await host.sendQuery({ ...query, where });
        const actual = await host.askAs(embedOf({ filters }), query);
        assert.equal(actual.data, expected.data, JSON.stringify([query, chosen]));
      }
    });
  });
});
