import * as assert from "uvu/assert";
import { PluginError, type Capabilities, type Cell } from "../../../../plugins/protocol/index.ts";
import { legacyPushdown } from "../../../support/everySource.ts";
import { createPlainHost, type PlainColumn } from "../../../support/plainHost.ts";
import { createPlainPlugin } from "../../../support/plainPlugin.ts";
import { createRandom, withSeed, type Random } from "../../../support/random.ts";
import { refusal } from "../../../support/refused.ts";
import { rounds } from "../../../support/layer.ts";
import { suite } from "../../../support/suite.ts";

const columns: readonly PlainColumn[] = [
  { id: "city", type: "hierarchy" },
  { id: "word", type: "hierarchy" },
  { id: "km", type: "numeric" },
  { id: "eur", type: "numeric" },
  { id: "at", type: "datetime" },
];
const ref = (column_id: string, more: object = {}) => ({ column_id, dataset_id: "D", ...more });
const fold = (column_id: string, aggregation: unknown) => ref(column_id, { aggregation });
const rowCount = { column_id: "*", dataset_id: "D", aggregation: "count" };
const weighted = { type: "weightedaverage", dataset_id: "D", column_id: "eur" };
const percentile = (fraction: number) => ({ type: "percentile", fraction });

const manyRows = (random: Random, count = random.pick([0, 1, 7, 300])): Cell[][] =>
  Array.from({ length: count }, () => [
    random.pick(["a", "b", null]),
    random.pick(["x", "y", "z", null]),
    random.chance(0.1) ? null : random.below(5) - 2,
    random.chance(0.1) ? null : random.below(4) / 4,
    random.chance(0.1) ? null : new Date(random.below(4) * 86_400_000 * 20).toISOString(),
  ]);
const host = (rows: readonly (readonly Cell[])[], capabilities: Capabilities = legacyPushdown) =>
  createPlainHost({ columns, rows, source: createPlainPlugin(capabilities) });

const isExact = ({ aggregation }: object & { aggregation?: unknown }) => aggregation !== "stddev";
const rounded = (data: unknown): unknown =>
  JSON.parse(JSON.stringify(data), (_, value: unknown) =>
    typeof value === "number" ? Number(value.toPrecision(12)) : value,
  );

suite("core/queries/plan/planFrequencies", (test) => {
  test("a plugin that can count is queried for the frequencies of values instead of rows", async () => {
    const rows = manyRows(createRandom(1), 300);
    const { sendQuery, source } = await host(rows);
    await sendQuery({
      dimensions: [ref("city"), ref("at", { level: 3 })],
      measures: [
        fold("km", "median"),
        fold("km", percentile(0.9)),
        fold("km", "stddev"),
        fold("km", "sum"),
        fold("eur", "average"),
        fold("eur", "max"),
        fold("word", "count"),
        rowCount,
      ],
      where: [{ expression: "? > ?", parameters: [ref("eur"), 0] }],
    });
    assert.is(source.requested.length, 1);
    assert.equal(source.requested[0]?.columns, [
      { column_id: "source.city" },
      { column_id: "source.at", level: "month" },
      { column_id: "source.km" },
      { column_id: "*", aggregation: "count" },
      { column_id: "source.eur", aggregation: "sum" },
      { column_id: "source.eur", aggregation: "count" },
      { column_id: "source.eur", aggregation: "max" },
      { column_id: "source.word", aggregation: "count" },
    ]);
    assert.equal(source.requested[0]?.filters, [
      { column_id: "source.eur", expression: ">", value: [0] },
    ]);
    assert.is(source.requested[0]?.options.pushdown, true);
  });

  test("the host computes bins, and levels inside an aggregation, from counted values", async () => {
    const rows = manyRows(createRandom(3), 200);
    const query = {
      dimensions: [ref("city"), ref("km", { discretization: { type: "linear", size: 2 } })],
      measures: [rowCount, fold("eur", "sum"), fold("at", "count")],
      order: [{ ...rowCount, order: "desc" }],
      limit: { by: 3 },
    };
    const { sendQuery, source } = await host(rows);
    const { data } = await sendQuery(query);
    assert.equal(data, (await (await host(rows, {})).sendQuery(query)).data);
    assert.equal(source.requested[0]?.columns, [
      { column_id: "source.city" },
      { column_id: "source.km" },
      { column_id: "*", aggregation: "count" },
      { column_id: "source.eur", aggregation: "sum" },
      { column_id: "source.at", aggregation: "count" },
    ]);
    const months = {
      dimensions: [ref("city")],
      measures: [ref("at", { level: 3, aggregation: "distinctcount" })],
    };
    const counted = await host(rows);
    const { data: found } = await counted.sendQuery(months);
    assert.equal(found, (await (await host(rows, {})).sendQuery(months)).data);
    assert.equal(counted.source.requested[0]?.columns, [
      { column_id: "source.city" },
      { column_id: "source.at", level: "month" },
      { column_id: "*", aggregation: "count" },
    ]);
  });

  test("the host fetches plain rows if the plugin does not declare counts or counting would not help", async () => {
    const rows = manyRows(createRandom(2), 20);
    const median = { dimensions: [ref("city")], measures: [fold("km", "median")] };
    const { grouping, ...withoutGroups } = legacyPushdown;
    const without = (name: string): Capabilities => ({
      ...legacyPushdown,
      grouping: {
        levels: [],
        aggregations: grouping?.aggregations.filter((each) => each !== name) ?? [],
      },
    });
    const zone = { timezone_id: "Europe/Brussels" };
    const cases: readonly (readonly [object, Capabilities])[] = [
      [
        { measures: ["km", "eur", "word"].map((each) => fold(each, "distinctcount")) },
        legacyPushdown,
      ],
      [
        { dimensions: [ref("at", { level: 3 })], measures: median.measures, options: zone },
        legacyPushdown,
      ],
      [
        {
          ...median,
          where: [
            {
              or: [
                { expression: "? is null", parameters: [ref("km")] },
                { expression: "? = ?", parameters: [ref("km"), 1] },
              ],
            },
          ],
        },
        legacyPushdown,
      ],
      [median, withoutGroups],
      [median, without("count")],
      [{ dimensions: [ref("at", { level: 3 })], measures: median.measures }, without("sum")],
      [{ ...median, options: { rollup_data: false } }, legacyPushdown],
    ];
    for (const [query, capabilities] of cases) {
      const { sendQuery, source } = await host(rows, capabilities);
      const { data } = await sendQuery(query);
      assert.equal(
        source.requested.map(({ options }) => options.pushdown),
        [false],
        JSON.stringify(query),
      );
      assert.equal(data, (await (await host(rows, {})).sendQuery(query)).data);
    }
  });

  test("random queries give the same cells from frequencies as from plain rows", async () => {
    const random = createRandom();
    await withSeed(random, async () => {
      let shorter = 0;
      for (let index = 0; index < rounds({ quick: 15, deep: 150 }); index++) {
        const rows = manyRows(random);
        const whole = random.pick([
          fold("km", "median"),
          fold("km", percentile(random.pick([0, 0.3, 0.95, 1]))),
          fold("km", "stddev"),
          fold("km", weighted),
          fold("word", "distinctcount"),
          fold("at", "distinctcount"),
          fold("word", "max"),
        ]);
        const beside = random.some(
          [
            fold("km", "sum"),
            fold("km", "count"),
            fold("km", "average"),
            fold("km", "min"),
            fold("eur", "sum"),
            fold("eur", "average"),
            fold("eur", "count"),
            fold("eur", "max"),
            fold("eur", "cumulativesum"),
            fold("at", "min"),
            fold("at", "count"),
            fold("word", "count"),
            fold("city", "count"),
            { formula: "MEDIAN({D:km}) + COUNTR()" },
            rowCount,
          ],
          0.3,
        );
        const query = {
          dimensions: random.some(
            [
              ref("city"),
              ref("km"),
              ref("at", { level: 3 }),
              ref("km", { discretization: { type: "linear", size: random.pick([1.5, 2]) } }),
            ],
            0.4,
          ),
          measures: [whole, ...beside],
          where: random.some(
            [
              { expression: "? != ?", parameters: [ref("word"), "x"] },
              { expression: "? is not null", parameters: [ref("eur")] },
            ],
            0.3,
          ),
          having: random.some(
            [
              { expression: "? > ?", parameters: [rowCount, 3] },
              { expression: "? is not null", parameters: [whole] },
            ],
            0.3,
          ),
          order: isExact(whole) ? random.some([{ ...whole, order: "desc" }], 0.5) : [],
          ...(random.chance(0.4) && { limit: { by: 3, offset: random.below(2) } }),
        };
        const [frequencies, plain] = await Promise.all([host(rows), host(rows, {})]);
        const about = JSON.stringify(query);
        const data = (await frequencies.sendQuery(query)).data;
        // Values and weights are quarters, so every sum is exact. Only the standard deviation depends on the order of
        // rows.
        const expected = (await plain.sendQuery(query)).data;
        if (isExact(whole)) assert.equal(data, expected, about);
        else assert.equal(rounded(data), rounded(expected), about);
        assert.equal(
          frequencies.source.requested.map(({ options }) => options.pushdown),
          [true],
          about,
        );
        const counted = await frequencies.source.query({
          query: frequencies.source.requested[0] ?? {
            id: "",
            columns: [],
            filters: [],
            options: { pushdown: true },
          },
          credentials: { properties: {} },
          signal: new AbortController().signal,
        });
        assert.ok(counted.rowCount <= rows.length, about);
        if (counted.rowCount < rows.length) shorter++;
      }
      assert.ok(shorter > rounds({ quick: 1, deep: 45 }), `${shorter} were shorter`);
    });
  });

  test("if groups would expand into too many rows, the host fetches plain rows instead", async () => {
    const rows: Cell[][] = [["a", "x", 1, 1, null]];
    const source = createPlainPlugin(legacyPushdown);
    const plain = await createPlainHost({
      columns,
      rows,
      source,
      wrap: (plugin) => ({
        ...plugin,
        async query(call) {
          const answer = await plugin.query(call);
          if (!call.query.options.pushdown) return answer;
          const [values, counts] = answer.columns;
          if (!values || counts?.type !== "numeric") throw new TypeError("no counts");
          counts.values[0] = 2 ** 40;
          return { rowCount: 1, columns: [values, counts] };
        },
      }),
    });
    assert.equal((await plain.sendQuery({ measures: [fold("km", "median")] })).data, [[1]]);
    assert.equal(
      source.requested.map(({ options }) => options.pushdown),
      [true, false],
    );
  });

  test("a plugin that rejects grouping is queried for rows, and an error names a plugin that counts wrongly", async () => {
    const rows: Cell[][] = [["a", "x", 1, 1, null]];
    const query = { measures: [fold("km", "median")] };
    const source = createPlainPlugin(legacyPushdown);
    const refusing = await createPlainHost({
      columns,
      rows,
      source,
      wrap: (plugin) => ({
        ...plugin,
        async query(call) {
          if (call.query.options.pushdown) throw new PluginError("PLUGIN_NOT_OFFERED", ["groups"]);
          return plugin.query(call);
        },
      }),
    });
    assert.equal((await refusing.sendQuery(query)).data, [[1]]);
    for (const wrong of [-1, 0.5, Number.NaN, Infinity]) {
      const counting = await createPlainHost({
        columns,
        rows,
        source: createPlainPlugin(legacyPushdown),
        wrap: (plugin) => ({
          ...plugin,
          async query(call) {
            const answer = await plugin.query(call);
            const counts = answer.columns[1];
            if (counts?.type === "numeric") counts.values[0] = wrong;
            return answer;
          },
        }),
      });
      assert.is(
        (await refusal(counting.sendQuery(query))).code,
        "PLUGIN_BAD_ANSWER",
        String(wrong),
      );
    }
  });
});
