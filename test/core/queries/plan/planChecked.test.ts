import * as assert from "uvu/assert";
import { PluginError, type Capabilities, type Plugin } from "../../../../plugins/protocol/index.ts";
import { legacyPushdown } from "../../../support/everySource.ts";
import { createPlainHost, type PlainColumn, type PlainHost } from "../../../support/plainHost.ts";
import { createPlainPlugin, everyCapability } from "../../../support/plainPlugin.ts";
import { refusal } from "../../../support/refused.ts";
import { embedOf, rowFilter } from "../../../support/restricted.ts";
import { suite } from "../../../support/suite.ts";

const columns: readonly PlainColumn[] = [
  { id: "tenant", type: "hierarchy" },
  { id: "city", type: "hierarchy" },
  { id: "km", type: "numeric" },
  { id: "at", type: "datetime" },
  { id: "double", type: "numeric", expression: "{D:km} * 2" },
];
const rows = [
  ["a", "Ghent", 1, "2024-01-01T10:00:00.000Z"],
  ["a", "Ghent", 2, "2024-01-07T23:30:00.000Z"],
  ["a", "Lille", 4, "2024-01-08T00:30:00.000Z"],
  ["a", null, null, "2024-02-01T00:00:00.000Z"],
  ["b", "Ghent", 8, null],
] as const;
const ref = (column_id: string, more: object = {}) => ({ column_id, dataset_id: "D", ...more });
const fold = (column_id: string, aggregation: unknown) => ref(column_id, { aggregation });
const rowCount = fold("*", "count");
const text = (value: string) => ({ id: value, name: { en: value } });
const test = (column: object, expression: string, value: unknown) => ({
  expression: `? ${expression} ?`,
  parameters: [column, value],
});
const countAsked = { column_id: "*", aggregation: "count" };
const key = (id: string, level?: string) => ({
  column_id: `source.${id}`,
  ...(level && { level }),
});
const part = (id: string, aggregation: string) => ({ column_id: `source.${id}`, aggregation });

const open = (
  capabilities: Capabilities = legacyPushdown,
  wrap: (plugin: Plugin) => Plugin = (plugin) => plugin,
): Promise<PlainHost> =>
  createPlainHost({
    columns,
    rows,
    isTrusted: false,
    source: createPlainPlugin(capabilities),
    wrap,
  });
const ofTenant = (tenant: string) => embedOf({ filters: [rowFilter("tenant", "? = ?", tenant)] });

suite("core/queries/plan/planChecked", (run) => {
  run(
    "under a row filter, the host also requests the filtered column as a key, and the number of rows",
    async () => {
      const { askAs, source } = await open();
      const { data } = await askAs(ofTenant("a"), {
        dimensions: [ref("city")],
        measures: [fold("km", "sum")],
      });
      assert.equal(data, [
        [text("Ghent"), 3],
        [text("Lille"), 4],
        [null, null],
      ]);
      assert.is(source.requested.length, 1);
      assert.equal(source.requested[0]?.columns, [
        key("tenant"),
        key("city"),
        part("km", "sum"),
        part("km", "count"),
        countAsked,
      ]);
      assert.equal(source.requested[0]?.filters, [
        { column_id: "source.tenant", expression: "=", value: ["a"] },
      ]);
    },
  );

  run("the host also requests the count of * for groups without measures", async () => {
    const { sendQuery, source } = await open();
    await sendQuery({ dimensions: [ref("city")] });
    assert.equal(source.requested[0]?.columns, [key("city"), countAsked]);
  });

  run("the host applies `order`, `limit` and `having`, whatever the plugin promises", async () => {
    const { sendQuery, source } = await open(everyCapability);
    const { data } = await sendQuery({
      dimensions: [ref("city")],
      measures: [rowCount],
      where: [test(ref("tenant"), "=", "a")],
      having: [test(rowCount, ">", 0)],
      order: [{ ...rowCount, order: "desc" }],
      limit: { by: 1 },
    });
    assert.equal(data, [[text("Ghent"), 2]]);
    const [requested] = source.requested;
    assert.equal(
      [requested?.order, requested?.limit, requested?.having],
      [undefined, undefined, undefined],
    );
  });

  run("the host fetches weeks as days and merges the days", async () => {
    const { sendQuery, source } = await open();
    const { data } = await sendQuery({
      dimensions: [ref("at", { level: 4 })],
      measures: [rowCount],
    });
    assert.equal(source.requested[0]?.columns, [key("at", "day"), countAsked]);
    assert.equal(data, [
      ["2024-01-01T00:00:00.000Z", 2],
      ["2024-01-08T00:00:00.000Z", 1],
      ["2024-01-29T00:00:00.000Z", 1],
      [null, 1],
    ]);
  });

  run(
    "the host fetches months by day under a filter on whole days, but by instant under a row filter",
    async () => {
      const { askAs, sendQuery, source } = await open();
      const months = {
        dimensions: [ref("at", { level: 3 })],
        measures: [rowCount],
        where: [
          test(ref("at"), ">=", "2024-01-02T00:00:00.000Z"),
          test(ref("at"), "<=", "2024-01-31T23:59:59.999Z"),
        ],
      };
      assert.equal((await sendQuery(months)).data, [["2024-01-01T00:00:00.000Z", 2]]);
      assert.equal(source.requested[0]?.columns, [key("at", "day"), countAsked]);
      const bound = embedOf({ filters: [rowFilter("at", "? >= ?", "2024-01-02T00:00:00.000Z")] });
      assert.equal((await askAs(bound, months)).data, [["2024-01-01T00:00:00.000Z", 2]]);
      assert.equal(source.requested[1]?.columns, [key("at"), countAsked]);
    },
  );

  run(
    "the host tests a range by the extremes of each group, without splitting the group",
    async () => {
      const find = {
        dimensions: [ref("tenant")],
        measures: [rowCount],
        where: [test(ref("km"), ">", 1), test(ref("km"), "<=", 8)],
      };
      const { sendQuery, source } = await open();
      const expected = [
        [text("a"), 2],
        [text("b"), 1],
      ];
      assert.equal((await sendQuery(find)).data, expected);
      assert.equal(
        source.requested.map(({ columns: requested }) => requested),
        [[key("tenant"), part("km", "min"), part("km", "count"), part("km", "max"), countAsked]],
      );
      const careless = await open(legacyPushdown, (plugin) => ({
        ...plugin,
        query: (call) => plugin.query({ ...call, query: { ...call.query, filters: [] } }),
      }));
      assert.equal((await careless.sendQuery(find)).data, expected);
      assert.equal(
        careless.source.requested.map(({ options }) => options.pushdown),
        [true, false],
      );
    },
  );

  run(
    "the host computes periods in a time zone from UTC hours or minutes, so the plugin does not receive the time zone",
    async () => {
      const { sendQuery, source } = await open(everyCapability);
      const { data } = await sendQuery({
        dimensions: [ref("at", { level: 5 })],
        measures: [rowCount],
        where: [test(ref("tenant"), "=", "a")],
        options: { timezone_id: "Europe/Brussels" },
      });
      assert.equal(data, [
        ["2023-12-31T23:00:00.000Z", 1],
        ["2024-01-07T23:00:00.000Z", 2],
        ["2024-01-31T23:00:00.000Z", 1],
      ]);
      const [requested] = source.requested;
      assert.equal(requested?.columns, [key("tenant"), key("at", "hour"), countAsked]);
      assert.is(requested?.options.timezone_id, undefined);
      const half = {
        dimensions: [ref("at", { level: 3 })],
        options: { timezone_id: "Asia/Kolkata" },
      };
      await sendQuery(half);
      assert.equal(source.requested[1]?.columns, [key("at", "minute"), countAsked]);
    },
  );

  run("averages are computed from sums and counts, and a count of no rows is 0", async () => {
    const { sendQuery, source } = await open();
    const measures = [fold("km", "average"), fold("km", "count"), rowCount, fold("km", "sum")];
    const where = [test(ref("city"), "like", "gh")];
    assert.equal((await sendQuery({ measures, where })).data, [[11 / 3, 3, 3, 11]]);
    assert.equal((await sendQuery({ measures, where: [test(ref("city"), "=", "x")] })).data, [
      [null, 0, 0, null],
    ]);
    assert.is(source.requested.length, 2);
    assert.equal(source.requested[0]?.filters, []);
  });

  run("in `having`, a group whose rows are all filtered out has the count 0", async () => {
    const { sendQuery } = await open();
    const find = {
      measures: [rowCount],
      where: [test(ref("city"), "=", "x")],
      having: [test(rowCount, "=", 0)],
    };
    assert.equal((await sendQuery(find)).data, [[0]]);
  });

  run(
    "the host groups by a column's values to compute aggregations that sums and counts do not determine",
    async () => {
      const { sendQuery, source } = await open(everyCapability);
      const { data } = await sendQuery({
        dimensions: [ref("tenant")],
        measures: [
          fold("km", "median"),
          fold("at", "max"),
          fold("double", "sum"),
          fold("city", "distinctcount"),
        ],
      });
      assert.equal(data[1], [text("b"), 8, null, 16, 1]);
      assert.equal(source.requested.length, 1);
      assert.equal(source.requested[0]?.columns, [
        key("km"),
        key("tenant"),
        key("city"),
        part("at", "max"),
        part("at", "count"),
        countAsked,
      ]);
      const few = await sendQuery({
        dimensions: [ref("tenant")],
        measures: [fold("km", "median")],
      });
      assert.equal(few.data, [
        [text("a"), 2],
        [text("b"), 8],
      ]);
      assert.equal(source.requested[1]?.columns, [key("tenant"), key("km"), countAsked]);
      await sendQuery({ measures: [fold("city", "distinctcount"), fold("city", "min")] });
      assert.equal(source.requested[2]?.columns, [key("city"), countAsked]);
    },
  );

  run("the host fetches plain rows if it needs the values of many columns", async () => {
    const { sendQuery, source } = await open();
    const measures = ["km", "city", "at"].map((id) => fold(id, "distinctcount"));
    assert.equal((await sendQuery({ measures })).data, [[4, 2, 4]]);
    assert.is(source.requested[0]?.options.pushdown, false);
  });

  run(
    "the host does not fetch extremes of dates from a plugin that cannot order rows",
    async () => {
      const { sendQuery, source } = await open();
      assert.equal((await sendQuery({ measures: [fold("at", "max")] })).data, [
        ["2024-02-01T00:00:00.000Z"],
      ]);
      assert.equal(source.requested[0]?.columns, [key("at"), countAsked]);
    },
  );

  run("the host computes derived columns from the columns that they read", async () => {
    const { sendQuery, source } = await open(everyCapability);
    const where = [test(ref("double"), ">", 3)];
    assert.equal(
      (await sendQuery({ dimensions: [ref("tenant")], measures: [rowCount], where })).data,
      [
        [text("a"), 2],
        [text("b"), 1],
      ],
    );
    assert.equal(source.requested[0]?.derived, undefined);
    assert.equal(source.requested[0]?.columns, [key("km"), key("tenant"), countAsked]);
  });

  run("after a plugin returns implausible groups, the host fetches plain rows", async () => {
    const { sendQuery, source } = await open(legacyPushdown, (plugin) => ({
      ...plugin,
      async query(call) {
        const batch = await plugin.query(call);
        const [first] = batch.columns;
        if (!call.query.options.pushdown || first?.type !== "numeric") return batch;
        return {
          ...batch,
          columns: [{ ...first, values: first.values.map(() => NaN) }, ...batch.columns.slice(1)],
        };
      },
    }));
    assert.equal((await sendQuery({ measures: [fold("km", "min")] })).data, [[1]]);
    assert.equal(
      source.requested.map(({ options }) => options.pushdown),
      [true, false],
    );
  });

  run("the error for an impossible row count names the plugin", async () => {
    const { sendQuery } = await open(legacyPushdown, (plugin) => ({
      ...plugin,
      async query(call) {
        const { rowCount: count } = await plugin.query(call);
        const values = Float64Array.from({ length: count }, () => -1);
        return { rowCount: count, columns: [{ type: "numeric", values }] };
      },
    }));
    const { code, message } = await refusal(sendQuery({ measures: [rowCount] }));
    assert.is(code, "PLUGIN_BAD_ANSWER");
    assert.match(message, /-1 as a count \(connection plain\)/);
  });

  run("`explain` marks as checked the clauses that the host repeated", async () => {
    interface Explained {
      readonly explain: {
        readonly mode: string;
        readonly steps: readonly {
          readonly clause: string;
          readonly pushed: boolean;
          readonly checked?: true;
          readonly reason?: string;
        }[];
        readonly filters: readonly { readonly checked?: true }[];
      };
    }
    const host = await open();
    const find = {
      dimensions: [ref("city")],
      measures: [rowCount],
      where: [test(ref("city"), "=", "it's"), test(ref("tenant"), "=", "a")],
    };
    const { explain } = (await host.explain(find)) as Explained;
    assert.is(explain.mode, "grouped");
    assert.equal(
      explain.filters.map(({ checked }) => checked),
      [true, true],
    );
    assert.equal(
      explain.steps
        .filter(({ checked }) => checked)
        .map(({ clause, pushed, reason }) => [clause, pushed, reason]),
      [
        ["filters", false, "only the host tests 1 of 2 filters"],
        ["grouping", true, undefined],
      ],
    );
    const proved = await createPlainHost({ columns, rows });
    assert.not.match(JSON.stringify(await proved.explain(find)), "checked");
  });

  run("a plugin that withdraws a promise is queried for plain rows", async () => {
    const { sendQuery } = await open(legacyPushdown, (plugin) => ({
      ...plugin,
      async query(call) {
        if (call.query.options.pushdown) throw new PluginError("PLUGIN_NOT_OFFERED", ["groups"]);
        return plugin.query(call);
      },
    }));
    assert.equal((await sendQuery({ measures: [rowCount] })).data, [[5]]);
  });
});
