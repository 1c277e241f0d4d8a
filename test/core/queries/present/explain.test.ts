import * as assert from "uvu/assert";
import type { Principal } from "../../../../core/base/contracts/index.ts";
import type { Explanation } from "../../../../core/queries/present/explain.ts";
import {
  PluginError,
  type Cell,
  type Filter,
  type Plugin,
} from "../../../../plugins/protocol/index.ts";
import { createPlainHost, type PlainColumn } from "../../../support/plainHost.ts";
import { createPlainPlugin, everyCapability } from "../../../support/plainPlugin.ts";
import { refusal } from "../../../support/refused.ts";
import { embedOf, override, rowFilter } from "../../../support/restricted.ts";
import { suite } from "../../../support/suite.ts";

const columns: readonly PlainColumn[] = [
  { id: "tenant", type: "hierarchy" },
  { id: "city", type: "hierarchy" },
  { id: "km", type: "numeric" },
];
const rows: readonly (readonly Cell[])[] = [
  ["s3cret", "Ghent", 1],
  ["s3cret", "Lille", 2],
  ["other", "Ghent", 4],
];
const ref = (column_id: string, more: object = {}) => ({ column_id, dataset_id: "D", ...more });
const byCity = { dimensions: [ref("city")], measures: [ref("km")] };
const where = [{ expression: "? > ?", parameters: [ref("km"), 0] }];

type Host = Awaited<ReturnType<typeof createPlainHost>>;
async function explanationOf(
  host: Host,
  query: object,
  principal: Principal = embedOf(),
): Promise<Explanation> {
  const { explain } = await host.askAs(principal, { ...query, explain: true });
  if (!explain) throw new Error("nothing was explained");
  return explain;
}

suite("core/queries/present/explain", (test) => {
  test("requesting an explanation does not change the rows of an answer", async () => {
    const host = await createPlainHost({ columns, rows });
    const plain = await host.sendQuery(byCity);
    assert.is(plain.explain, undefined);
    const { data, explain } = await host.sendQuery({ ...byCity, explain: true });
    assert.equal(data, plain.data);
    assert.equal(explain?.datasets, [{ id: "D", plugin: "plain", live: true, cache: 0 }]);
  });

  test("a call can explain one or all of its queries, and `explain` must be a boolean", async () => {
    const host = await createPlainHost({ columns, rows });
    const explained = async (find: object) =>
      ((await host.sendQuery(find)) as unknown as { explain?: object }[]).map(
        ({ explain }) => explain !== undefined,
      );
    const own = { ...byCity, explain: true };
    assert.equal(await explained({ queries: [byCity, own] }), [false, true]);
    assert.equal(await explained({ queries: [byCity, byCity], explain: true }), [true, true]);
    for (const [find, member] of [
      [{ ...byCity, explain: 1 }, "explain"],
      [{ queries: [byCity, { ...byCity, explain: "yes" }] }, "queries[1].explain"],
      [{ queries: [byCity], explain: {} }, "explain"],
    ] as const) {
      const { code, message } = await refusal(host.sendQuery(find));
      assert.is(code, "MEMBER_INVALID");
      assert.ok(message.includes(member), message);
    }
  });

  test("the steps of an explanation say for each clause whether the plugin carries it out and, if not, why", async () => {
    const all = await explanationOf(await createPlainHost({ columns, rows }), byCity);
    assert.equal([all.mode, all.steps.every(({ pushed }) => pushed)], ["whole", true]);
    const source = createPlainPlugin({ projection: true });
    const none = await explanationOf(await createPlainHost({ columns, rows, source }), {
      ...byCity,
      where,
      limit: { by: 1 },
    });
    assert.is(none.mode, "rows");
    const reasons = new Map(none.steps.map(({ clause, reason }) => [clause, reason]));
    assert.match(String(reasons.get("filters")), "the plugin does not promise filters");
    assert.match(String(reasons.get("grouping")), "the plugin does not promise grouping");
    assert.ok(reasons.get("limit"));
  });

  test("the explanation says for each plugin which clauses it received and how many rows it returned", async () => {
    const { having: _, order: __, ...grouping } = everyCapability;
    const source = createPlainPlugin(grouping);
    const host = await createPlainHost({ columns, rows, source });
    const { mode, parts } = await explanationOf(host, { ...byCity, where, limit: { by: 1 } });
    assert.is(mode, "grouped");
    assert.equal(
      parts.map(({ dataset_id, plugin, clauses, rows: rowCount }) => [
        dataset_id,
        plugin,
        clauses,
        rowCount,
      ]),
      [
        ["D", "plain", ["filters", "grouping"], 2],
        [null, "plainscratch", ["order", "limit"], 1],
      ],
    );
    assert.ok(parts.every((part) => part.milliseconds >= 0));
  });

  test("the explanation shows the error and the second call of a plugin that rejects a query that it should support", async () => {
    const wrap = (plugin: Plugin): Plugin => ({
      ...plugin,
      async query(call) {
        if (call.query.options.pushdown) throw new PluginError("PLUGIN_NOT_OFFERED", ["grouping"]);
        return plugin.query(call);
      },
    });
    const host = await createPlainHost({ columns, rows, wrap });
    const { mode, parts } = await explanationOf(host, byCity);
    assert.is(mode, "rows");
    assert.equal(
      parts.map(({ plugin, failure, rows: rowCount }) => [plugin, failure, rowCount]),
      [
        ["plain", "PLUGIN_NOT_OFFERED", null],
        ["plain", undefined, 3],
        ["plainscratch", undefined, 2],
      ],
    );
  });

  test("the explanation lists the plugin calls of subqueries", async () => {
    const host = await createPlainHost({ columns, rows });
    const bins = { type: "linear", bins: 2 };
    const { probes } = await explanationOf(host, {
      dimensions: [ref("km", { discretization: bins })],
    });
    assert.equal(
      probes.map(({ dataset_id, clauses }) => [dataset_id, clauses.includes("grouping")]),
      [["D", true]],
    );
  });

  test("an explanation shows filters without values, and shows only the origin of filters on hidden columns", async () => {
    const host = await createPlainHost({ columns, rows });
    const parameter = { parameter: "metadata.tenant", type: "hierarchy" };
    const principal = embedOf({
      filters: [
        rowFilter("tenant", "? = ?", parameter),
        { ...rowFilter("city", "? in ?", ["Ghent"]), setBy: "filter_group" },
        { ...rowFilter("tenant", "? != ?", "third"), setBy: "share" },
      ],
      parameters: new Map([["tenant", override("s3cret", { sensitive: true })]]),
      hiddenColumns: new Set(["tenant"]),
    });
    const query = { ...byCity, where: [{ or: [where[0], where[0]] }] };
    const explanation = await explanationOf(host, query, principal);
    const own = { origin: "question", dataset_id: "D", column_id: "km", expression: ">" };
    assert.equal(explanation.filters, [
      own,
      own,
      { origin: "token", dataset_id: "D" },
      { origin: "filter_group", dataset_id: "D", column_id: "city", expression: "? in ?" },
      { origin: "share", dataset_id: "D" },
    ]);
    const text = JSON.stringify(explanation);
    for (const hidden of ["s3cret", "third", "tenant", "Ghent", "source.", "sheet"])
      assert.not(text.includes(hidden), hidden);
  });

  test("the reason why a filter was not pushed reveals nothing about a filter on a hidden column", async () => {
    const operators = { ...everyCapability.filters?.operators, "starts with": [] };
    const filters = { ...everyCapability.filters, operators };
    const host = await createPlainHost({
      columns,
      rows,
      source: createPlainPlugin({ ...everyCapability, filters }),
    });
    const bound = { filters: [rowFilter("tenant", "? starts with ?", "s3")] };
    const reasonFor = async (principal: Principal) =>
      (await explanationOf(host, byCity, principal)).steps.find(
        ({ clause }) => clause === "filters",
      )?.reason;
    assert.match(String(await reasonFor(embedOf(bound))), "starts with");
    const hidden = await reasonFor(embedOf({ ...bound, hiddenColumns: new Set(["tenant"]) }));
    assert.is(hidden, "the plugin does not promise all of this clause");
  });

  test("the explanation shows no row counts to a caller with row filters", async () => {
    for (const capabilities of [everyCapability, { projection: true }]) {
      const source = createPlainPlugin(capabilities);
      const host = await createPlainHost({ columns, rows, source });
      const filters = [rowFilter("tenant", "? = ?", "s3cret")];
      const { parts } = await explanationOf(host, byCity, embedOf({ filters }));
      assert.ok(parts.length > 0);
      assert.ok(parts.every((part) => part.rows === null));
    }
  });

  test("an explanation says how old the answer is and whether it came from the cache", async () => {
    const plain = createPlainPlugin();
    // Both queries start before the first query is answered: it takes many turns of the event loop, however slow they
    // are.
    const source: typeof plain = {
      ...plain,
      async query(call) {
        for (let turn = 0; turn < 500; turn++)
          await new Promise((resolve) => void setImmediate(resolve));
        return plain.query(call);
      },
    };
    const options = { columns, rows, source, cacheBytes: 1e6 };
    const kept = await createPlainHost({ ...options, cacheS: 60 });
    assert.equal((await explanationOf(kept, byCity)).cache.state, "miss");
    await new Promise((resolve) => setTimeout(resolve, 5));
    const hit = await explanationOf(kept, byCity);
    assert.is(hit.cache.state, "hit");
    assert.ok(hit.cache.age >= 4 && hit.cache.age < 10_000, String(hit.cache.age));
    assert.is(hit.parts.length, 1, "the parts are those of the run that produced the answer");
    const shared = await Promise.all([1, 2].map(() => explanationOf(kept, { ...byCity, where })));
    assert.equal(
      shared.map(({ cache }) => cache.state),
      ["miss", "shared"],
    );
    const off = await createPlainHost(options);
    assert.equal((await explanationOf(off, byCity)).cache, { state: "off", age: 0 });
  });

  test("the explain action omits rows and includes the errors of failed queries", async () => {
    const host = await createPlainHost({ columns, rows });
    const one = (await host.explain(byCity)) as { explain?: Explanation };
    assert.equal(Object.keys(one), ["cached", "performance", "explain"]);
    assert.is(one.explain?.mode, "whole");
    const unknown = { dimensions: [ref("nothing")] };
    const [told, failed] = (await host.explain({ queries: [byCity, unknown] })) as object[];
    assert.equal(Object.keys(told as object), ["cached", "performance", "explain"]);
    assert.equal(Object.keys(failed as object), ["cached", "performance", "error"]);
    assert.is((await refusal(host.explain(unknown))).code, "QUERY_UNKNOWN_COLUMN");
  });

  test("an explanation reveals no datasets or columns that the caller may not read", async () => {
    const host = await createPlainHost({ columns, rows });
    assert.is((await refusal(host.explain(byCity, "bob"))).code, "RECORD_NOT_FOUND");
    const hidden = embedOf({ hiddenColumns: new Set(["city"]) });
    assert.is(
      (await refusal(host.askAs(hidden, { ...byCity, explain: true }))).code,
      "QUERY_UNKNOWN_COLUMN",
    );
  });

  test("the explanation says for each filter whether it was exact, superset or none, and why", async () => {
    const { filters, ...others } = everyCapability;
    const { like: _, ...exact } = filters?.operators ?? {};
    const source = createPlainPlugin({
      ...others,
      filters: { operators: exact, superset: { like: ["hierarchy"] } },
    });
    const narrowed = {
      filters: { "=": "superset", "!=": "none" },
      reason: "the collation de_DE ignores case",
    } as const;
    const host = await createPlainHost({
      columns: columns.map((column) => (column.id === "city" ? { ...column, narrowed } : column)),
      rows,
      source,
    });
    const test = (expression: string, id: string, value: unknown) => ({
      expression: `? ${expression} ?`,
      parameters: [ref(id), value],
    });
    const all = [
      test(">", "km", 0),
      test("=", "city", "Ghent"),
      test("!=", "city", "Lille"),
      test("like", "tenant", "s3"),
    ];
    const { mode, pushdown, steps, parts } = await explanationOf(host, { ...byCity, where: all });
    assert.equal(mode, "rows");
    const told = (column_id: string, expression: string, more: object) => ({
      dataset_id: "D",
      tests: [{ column_id, expression }],
      ...more,
    });
    assert.equal(pushdown, [
      told("km", ">", { pushdown: "exact" }),
      told("city", "=", {
        pushdown: "superset",
        reason:
          "the plugin does not promise an exact = on this hierarchy column: the collation de_DE ignores case",
      }),
      told("city", "!=", {
        pushdown: "none",
        reason:
          "the plugin does not promise != on this hierarchy column: the collation de_DE ignores case",
      }),
      told("tenant", "like", {
        pushdown: "superset",
        reason: "the plugin does not promise an exact like on hierarchy columns",
      }),
    ]);
    assert.is(steps.find(({ clause }) => clause === "filters")?.pushed, false);
    assert.equal([parts[0]?.clauses, parts[0]?.rows], [["filters"], 1]);
    assert.is(source.requested[0]?.filters.length, 3);
  });

  test("if a plugin does not acknowledge a filter, the explanation marks the filter and the host groups the rows itself", async () => {
    const wrap = (plugin: Plugin): Plugin => ({
      ...plugin,
      query: async (call) => ({ ...(await plugin.query(call)), applied: [] }),
    });
    const host = await createPlainHost({ columns, rows, wrap });
    const { mode, pushdown, steps, parts } = await explanationOf(host, { ...byCity, where });
    assert.is(mode, "rows");
    assert.equal(pushdown, [
      {
        dataset_id: "D",
        tests: [{ column_id: "km", expression: ">" }],
        pushdown: "superset",
        reason: "the plugin did not acknowledge the filter",
      },
    ]);
    assert.is(
      steps.find(({ clause }) => clause === "filters")?.reason,
      "the plugin did not acknowledge 1 of 1 filters",
    );
    assert.equal(
      parts.map(({ plugin, clauses }) => [plugin, clauses.includes("grouping")]),
      [
        ["plain", true],
        ["plain", false],
        ["plainscratch", true],
      ],
    );
  });

  test("the explanation marks the filters of an untrusted plugin as supersets", async () => {
    const host = await createPlainHost({ columns, rows, isTrusted: false });
    const principal = embedOf({
      filters: [rowFilter("tenant", "? = ?", "s3cret")],
      hiddenColumns: new Set(["tenant"]),
    });
    const { pushdown } = await explanationOf(host, { ...byCity, where }, principal);
    assert.equal(pushdown, [
      {
        dataset_id: "D",
        tests: [{ column_id: "km", expression: ">" }],
        pushdown: "superset",
        reason: "the host tests the filters of plugins over HTTP again",
      },
      { dataset_id: "D", pushdown: "superset" },
    ]);
  });

  test("the explanation lists capabilities that do not work with the caller's credentials", async () => {
    const { grouping: _, ...lesser } = everyCapability;
    const demoted = [{ capability: "grouping", reason: "sums of large numbers were rounded" }];
    const wrap = (plugin: Plugin): Plugin => ({
      ...plugin,
      capabilitiesOf: async () => ({ capabilities: lesser, demoted }),
    });
    const host = await createPlainHost({ columns, rows, wrap });
    const { mode, datasets } = await explanationOf(host, byCity);
    assert.is(mode, "rows");
    assert.equal(datasets[0]?.demoted, demoted);
    assert.equal(
      host.source.requested.map(({ options }) => options.pushdown),
      [false],
    );
  });

  test("if a superset selects a thousandth of the rows, the host reads at most twice as many rows as match", async () => {
    const names = ["Ghent", "GHENT", "Lille"];
    const many = Array.from({ length: 40_000 }, (_, row): readonly Cell[] => [
      `t${row % 7}`,
      row % 1000 < 2 ? names[row % 1000]! : `city ${row}`,
      row,
    ]);
    const capabilities = {
      ...everyCapability,
      filters: { operators: {}, superset: { "=": ["hierarchy" as const] } },
    };
    // This source has a collation that ignores case.
    const folded = (filter: Filter): Filter =>
      "column_id" in filter && filter.expression === "="
        ? {
            ...filter,
            expression: "in",
            value: [...filter.value!, String(filter.value![0]).toUpperCase()],
          }
        : filter;
    const wrap = (plugin: Plugin): Plugin => ({
      ...plugin,
      capabilities,
      query: (call) =>
        plugin.query({
          ...call,
          query: { ...call.query, filters: call.query.filters.map(folded) },
        }),
    });
    const host = await createPlainHost({ columns, rows: many, wrap });
    const { data, explain } = await host.sendQuery({
      measures: [ref("km"), { column_id: "*", dataset_id: "D", aggregation: { type: "count" } }],
      where: [{ expression: "? = ?", parameters: [ref("city"), "Ghent"] }],
      explain: true,
    });
    const matching = 40;
    const sum = many
      .filter(([, city]) => city === "Ghent")
      .reduce((total, [, , km]) => total + Number(km), 0);
    assert.equal(data, [[sum, matching]]);
    const [read] = explain?.parts ?? [];
    assert.equal([read?.plugin, read?.clauses], ["plain", ["filters"]]);
    assert.is(read?.rows, matching * 2);
  });
});
