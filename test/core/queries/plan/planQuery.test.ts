import * as assert from "uvu/assert";
import { defaultLimits } from "../../../../core/queries/limits.ts";
import { parseQuery } from "../../../../core/queries/parse/parseQuery.ts";
import { planQuery, planWithoutPushdown } from "../../../../core/queries/plan/planQuery.ts";
import type { QueryPlan } from "../../../../core/queries/queryPlan.ts";
import type { QueriedColumn, QueriedDataset } from "../../../../core/queries/queriedDataset.ts";
import { resolve } from "../../../../core/queries/resolve/resolve.ts";
import { secure } from "../../../../core/queries/secure/secure.ts";
import type { Aggregation, Capabilities } from "../../../../plugins/protocol/index.ts";
import { connectionOf } from "../../../support/plainConnections.ts";
import { principalOf } from "../../../support/plainHost.ts";
import { createPlainPlugin, everyCapability } from "../../../support/plainPlugin.ts";
import { suite } from "../../../support/suite.ts";

const types = { city: "hierarchy", km: "numeric", at: "datetime" } as const;
const columns = Object.entries(types).map(([id, type]): QueriedColumn => ({
  id,
  pluginId: id,
  name: id,
  type,
  subtype: undefined,
  unserved: undefined,
}));
const dataset: QueriedDataset = {
  id: "D",
  connection: connectionOf("plain", createPlainPlugin()),
  source: { id: "D", columns: columns.map(({ id, type }) => ({ id, type, name: { en: id } })) },
  columns: new Map(columns.map((column) => [column.id, column])),
  everyColumn: new Map(columns.map((column) => [column.id, column])),
  links: [],
  rowFilters: [],
  freshness: { maxAgeMs: 0 },
};
const ref = (column_id: string, more: object = {}) => ({ column_id, dataset_id: "D", ...more });
const grouped = {
  dimensions: [ref("city")],
  measures: [ref("km")],
  where: [
    { expression: "? = ?", parameters: [ref("city"), "a"] },
    { expression: "? > ?", parameters: [ref("km"), 1] },
  ],
  having: [{ expression: "? > ?", parameters: [ref("km", { aggregation: "sum" }), 1] }],
  limit: { by: 5 },
};

async function plan(
  query: object,
  capabilities: Capabilities,
  make = planQuery,
  of = dataset,
): Promise<QueryPlan> {
  const bound = await resolve(parseQuery(query, "", defaultLimits), async () => of, defaultLimits, {
    nowMs: 0,
  });
  return make(secure(bound, principalOf("ada"), { nowMs: 0 }), capabilities);
}

function without(...path: readonly string[]): Capabilities {
  const copy = structuredClone(everyCapability) as unknown as Record<
    string,
    Record<string, unknown>
  >;
  const [first = "", second] = path;
  if (second === undefined) delete copy[first];
  else delete copy[first]?.[second];
  return copy as unknown as Capabilities;
}

const residualOf = (made: QueryPlan) =>
  made.steps.filter((step) => !step.pushed).map((step) => step.clause);

suite("core/queries/plan/planQuery", (test) => {
  test("a plugin that declares every capability receives the whole query, without a residual", async () => {
    const made = await plan(grouped, everyCapability);
    assert.is(made.mode, "whole");
    assert.is(made.residual, undefined);
    assert.equal(made.pushed, {
      id: "D",
      columns: [{ column_id: "city" }, { column_id: "km", aggregation: "sum" }],
      filters: [
        { column_id: "city", expression: "=", value: ["a"] },
        { column_id: "km", expression: ">", value: [1] },
      ],
      having: [{ column: 1, expression: ">", value: [1] }],
      order: [{ column: 0, order: "asc" }],
      limit: { by: 5, offset: 0 },
      options: { pushdown: true, query_timeout: 120_000 },
    });
  });

  test("the host groups the groups of an unverified plugin again, and the plan says so", async () => {
    const connection = connectionOf("plain", createPlainPlugin(), false);
    const made = await plan(grouped, everyCapability, planQuery, { ...dataset, connection });
    assert.equal(residualOf(made), ["having", "order", "limit"]);
  });

  test("a plugin that lacks `having`, `order` or `limit` still groups, but receives none of these clauses", async () => {
    for (const clause of ["having", "order", "limit"]) {
      const made = await plan(grouped, without(clause));
      assert.is(made.mode, "grouped", clause);
      assert.equal(residualOf(made), ["having", "order", "limit"]);
      assert.match(
        made.steps.find((step) => step.clause === clause)?.reason ?? "",
        new RegExp(`does not promise ${clause}`),
      );
      assert.equal(
        [made.pushed.having, made.pushed.order, made.pushed.limit],
        [undefined, undefined, undefined],
      );
      assert.equal(made.residual?.columns, [
        { id: "0", type: "hierarchy" },
        { id: "1", type: "numeric" },
      ]);
      assert.equal(made.residual?.query, {
        id: "D",
        columns: [{ column_id: "0" }, { column_id: "1" }],
        filters: [{ column_id: "1", expression: ">", value: [1] }],
        order: [{ column: 0, order: "asc" }],
        limit: { by: 5, offset: 0 },
        options: { pushdown: false },
      });
    }
  });

  test("averages and cumulative sums are computed from groups only if the plugin can sum and count", async () => {
    const query = {
      dimensions: [ref("city")],
      measures: [
        ref("km", { aggregation: "average" }),
        ref("km", { aggregation: "cumulativesum" }),
      ],
    };
    const offering = (...aggregations: readonly Aggregation[]) => ({
      ...everyCapability,
      grouping: { aggregations, levels: [] },
    });
    const made = await plan(query, offering("sum", "count"));
    assert.is(made.mode, "grouped");
    assert.equal(residualOf(made), ["having", "average", "cumulativesum", "order", "limit"]);
    assert.equal(made.pushed.columns, [
      { column_id: "city" },
      { column_id: "km", aggregation: "sum" },
      { column_id: "km", aggregation: "count" },
    ]);
    assert.equal(made.residual?.vectors, [0, 1, 1, 2]);
    for (const [capabilities, mode] of [
      [offering("sum"), "rows"],
      [offering("count"), "frequencies"],
      [offering("cumulativesum", "count", "min"), "frequencies"],
      [offering("average"), "rows"],
    ] as const)
      assert.is((await plan(query, capabilities)).mode, mode);
    assert.is((await plan(query, offering("average", "cumulativesum"))).mode, "whole");
    const unordered = { ...offering("average", "cumulativesum"), order: false };
    assert.is((await plan(query, unordered)).mode, "rows");
  });

  test("if a plugin lacks one filter, the host groups the rows and tests all filters again", async () => {
    const made = await plan(grouped, {
      ...everyCapability,
      filters: { operators: { ">": ["numeric"] } },
    });
    assert.is(made.mode, "rows");
    assert.equal(made.pushed, {
      id: "D",
      columns: [{ column_id: "city" }, { column_id: "km" }],
      filters: [{ column_id: "km", expression: ">", value: [1] }],
      options: { pushdown: false, query_timeout: 120_000 },
    });
    assert.is(made.residual?.query.filters.length, 2);
    assert.equal(made.residual?.query.limit, { by: 5, offset: 0 });
    assert.equal(residualOf(made), ["filters", "grouping", "having", "order", "limit"]);
  });

  test("a basic plugin is queried for all columns, and the host selects the needed columns", async () => {
    const made = await plan({ measures: [ref("at", { aggregation: "max" })] }, {});
    assert.is(made.mode, "rows");
    assert.equal(made.pushed.columns, [
      { column_id: "city" },
      { column_id: "km" },
      { column_id: "at" },
    ]);
    assert.equal(made.residual?.columns, [{ id: "at", type: "datetime" }]);
    assert.equal(made.residual?.vectors, [2]);
  });

  test("counting rows still requests a column from the plugin", async () => {
    const made = await plan(
      { measures: [ref("*", { aggregation: "count" })] },
      { projection: true },
    );
    assert.equal(made.pushed.columns, [{ column_id: "city" }]);
  });

  test("no clause is pushed to a plugin that lacks the capability for it", async () => {
    const filter = (expression: string, column: string, value?: unknown, more: object = {}) => ({
      measures: [ref("km")],
      where: [
        {
          expression,
          parameters: value === undefined ? [ref(column, more)] : [ref(column, more), value],
        },
      ],
    });
    const either = { measures: [ref("km")], where: [{ or: grouped.where }] };
    const month = { dimensions: [ref("at", { level: 3 })], measures: [ref("km")] };
    const zone = { ...month, options: { timezone_id: "Europe/Brussels" } };
    const offers = (filters: Capabilities["filters"]) => ({
      ...everyCapability,
      ...(filters && { filters }),
    });
    const all = everyCapability.filters?.operators ?? {};
    const cases: readonly (readonly [object, Capabilities, RegExp])[] = [
      [month, without("projection"), /projection/],
      [filter("? = ?", "km", 1), without("filters"), /filters/],
      [
        filter("? = ?", "km", 1),
        offers({ operators: { "=": ["hierarchy"] } }),
        /= on numeric columns/,
      ],
      [
        filter("? in ?", "km", [1, 2, 3]),
        offers({ operators: all, listLength: 2 }),
        /lists of more than 2 values/,
      ],
      [
        filter("? = ?", "at", "2024-01-01", { level: 3 }),
        offers({ operators: all }),
        /filters on levels/,
      ],
      [either, offers({ operators: all }), /nested filters/],
      [month, without("grouping"), /grouping/],
      [
        month,
        { ...everyCapability, grouping: { aggregations: ["min"], levels: ["month"] } },
        /the aggregation sum/,
      ],
      [
        month,
        { ...everyCapability, grouping: { aggregations: ["sum"], levels: ["day"] } },
        /the level month/,
      ],
      [zone, without("grouping", "timezones"), /levels in a time zone/],
      [
        { measures: [ref("city", { aggregation: "min" })] },
        { ...without("order"), grouping: { aggregations: ["min"], levels: [] } },
        /min of strings by code point/,
      ],
      [
        { measures: [ref("at", { aggregation: "distinctcount", level: 3 })] },
        {
          ...without("levelsAnywhere"),
          grouping: { aggregations: ["distinctcount"], levels: ["month"] },
        },
        /under an aggregation/,
      ],
      [
        { ...month, options: { rollup_data: false } },
        without("levelsAnywhere"),
        /levels in plain rows/,
      ],
      [{ dimensions: [ref("km")], options: { rollup_data: false } }, without("order"), /order/],
    ];
    for (const [query, capabilities, reason] of cases) {
      assert.is((await plan(query, everyCapability)).mode, "whole", String(reason));
      const made = await plan(query, capabilities);
      assert.is(made.mode, "rows", String(reason));
      assert.ok(
        made.steps.some((step) => reason.test(step.reason ?? "")),
        `${reason}: ${JSON.stringify(made.steps)}`,
      );
      assert.is(made.pushed.options.pushdown, false);
      assert.is(
        made.pushed.columns.some((column) => column.level || column.aggregation),
        false,
      );
    }
  });

  test("the plan omits an order for a single row, a limit above the maximum row count, and the time zone UTC", async () => {
    const { order: _, limit: __, having: ___, ...capabilities } = everyCapability;
    const made = await plan(
      { measures: [ref("km")], options: { timezone_id: "Etc/UTC" } },
      capabilities,
    );
    assert.is(made.mode, "whole");
    assert.equal(
      [made.pushed.order, made.pushed.limit, made.pushed.having],
      [undefined, undefined, undefined],
    );
  });

  test("code that plans an unsecured query does not compile", async () => {
    const bound = await resolve(
      parseQuery(grouped, "", defaultLimits),
      async () => dataset,
      defaultLimits,
      { nowMs: 0 },
    );
    // @ts-expect-error only secure makes what planQuery takes
    const made = planQuery(bound, everyCapability);
    assert.is(made.mode, "whole");
  });

  test("after a plugin has rejected a query, the host fetches only plain rows", async () => {
    const made = await plan(grouped, everyCapability, planWithoutPushdown);
    assert.is(made.mode, "rows");
    assert.equal(made.pushed.filters, []);
    assert.is(made.pushed.columns.length, 2);
  });
});
