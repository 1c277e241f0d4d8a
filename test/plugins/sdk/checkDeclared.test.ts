import * as assert from "uvu/assert";
import { definePlugin } from "../../../plugins/sdk/index.ts";
import { type Capabilities, PluginError, type Query } from "../../../plugins/protocol/index.ts";
import { suite } from "../../support/suite.ts";

async function codeOf(capabilities: Capabilities, part: Partial<Query>): Promise<string> {
  const plugin = definePlugin({
    datasets: [{ id: "d", columns: [{ id: "city", type: "hierarchy" }] }],
    capabilities,
    query: async () => ({ rowCount: 0, columns: [] }),
  });
  const query = {
    id: "d",
    columns: [{ column_id: "city" }],
    filters: [],
    options: { pushdown: false },
    ...part,
  };
  const signal = new AbortController().signal;
  try {
    await plugin.query({ query, signal, credentials: { properties: {} } });
  } catch (failure) {
    if (failure instanceof PluginError) return failure.code;
    throw failure;
  }
  return "answered";
}

const equal = { column_id: "city", expression: "=", value: ["a", "b"] } as const;
const byMonth = {
  columns: [{ column_id: "at", level: "month" }],
  options: { pushdown: true },
} as const;
const months = { aggregations: [], levels: ["month"] } as const;

const doubled: NonNullable<Query["derived"]> = [
  {
    id: "x",
    type: "numeric",
    expression: {
      kind: "call",
      function: "negate",
      args: [{ kind: "literal", type: "numeric", value: 2 }],
    },
  },
];

const clauses: readonly (readonly [string, Partial<Query>, Capabilities, Capabilities])[] = [
  [
    "filters",
    { filters: [equal] },
    { projection: true },
    { filters: { operators: { "=": ["hierarchy"] } } },
  ],
  [
    "an operator",
    { filters: [equal] },
    { filters: { operators: {} } },
    { filters: { operators: { "=": ["hierarchy"] } } },
  ],
  [
    "nested filters",
    { filters: [{ or: [equal] }] },
    { filters: { operators: { "=": ["hierarchy"] } } },
    { filters: { operators: { "=": ["hierarchy"] }, nested: true } },
  ],
  [
    "an operator inside a group",
    { filters: [{ and: [equal] }] },
    { filters: { operators: {}, nested: true } },
    { filters: { operators: { "=": ["hierarchy"] }, nested: true } },
  ],
  [
    "a level in a filter",
    { filters: [{ ...equal, level: "day" }] },
    { filters: { operators: { "=": ["datetime"] } } },
    { filters: { operators: { "=": ["datetime"] }, levels: true } },
  ],
  [
    "bins",
    { columns: [{ column_id: "km", bin: { width: 1, origin: 0 } }] },
    { projection: true },
    { bins: true },
  ],
  [
    "bins of a decimal width",
    { columns: [{ column_id: "km", bin: { width: 0.1, origin: 0 } }] },
    { bins: true },
    { bins: true, decimalBins: true },
  ],
  [
    "bins from another origin",
    { columns: [{ column_id: "km", bin: { width: 1, origin: 1 } }] },
    { bins: true },
    { bins: true, decimalBins: true },
  ],
  [
    "a join",
    { joins: [{ id: "e", left: "city", right: "name", columns: [] }] },
    { projection: true },
    { joins: true },
  ],
  [
    "a join by several columns",
    {
      joins: [
        { id: "e", left: "city", right: "name", and: [{ left: "km", right: "n" }], columns: [] },
      ],
    },
    { joins: true },
    { joins: true, compositeJoins: true },
  ],
  [
    "a filter of a join",
    { joins: [{ id: "e", left: "city", right: "name", columns: [], filters: [equal] }] },
    { joins: true, filters: { operators: { "=": ["hierarchy"] } } },
    { joins: true, joinFilters: true, filters: { operators: { "=": ["hierarchy"] } } },
  ],
  [
    "an operator in a filter of a join",
    { joins: [{ id: "e", left: "city", right: "name", columns: [], filters: [equal] }] },
    { joins: true, joinFilters: true, filters: { operators: {} } },
    { joins: true, joinFilters: true, filters: { operators: { "=": ["hierarchy"] } } },
  ],
  [
    "a function in a derived column of a join",
    {
      joins: [{ id: "e", left: "city", right: "name", columns: [], filters: [], derived: doubled }],
    },
    { joins: true, joinFilters: true, expressions: { functions: ["abs"] } },
    { joins: true, joinFilters: true, expressions: { functions: ["negate"] } },
  ],
  [
    "a derived column",
    { derived: doubled },
    { bins: true },
    { expressions: { functions: ["negate"] } },
  ],
  [
    "a function",
    { derived: doubled },
    { expressions: { functions: ["abs"] } },
    { expressions: { functions: ["abs", "negate"] } },
  ],
  [
    "a long list",
    { filters: [equal] },
    { filters: { operators: { "=": ["hierarchy"] }, listLength: 1 } },
    { filters: { operators: { "=": ["hierarchy"] }, listLength: 2 } },
  ],
  ["having", { having: [{ column: 0, expression: "is null" }] }, {}, { having: true }],
  ["order", { order: [{ column: 0, order: "asc" }] }, {}, { order: true }],
  [
    "a limit per group",
    { groupLimit: { columns: [0], by: 1 } },
    { limit: true },
    { groupLimit: true },
  ],
  ["limit", { limit: { by: 1 } }, {}, { limit: true }],
  ["grouping", { options: { pushdown: true } }, {}, { grouping: { aggregations: [], levels: [] } }],
  [
    "an aggregation",
    { columns: [{ column_id: "n", aggregation: "sum" }], options: { pushdown: true } },
    { grouping: { aggregations: ["count"], levels: [] } },
    { grouping: { aggregations: ["sum"], levels: [] } },
  ],
  ["a level", byMonth, { grouping: { aggregations: [], levels: ["year"] } }, { grouping: months }],
  [
    "a level in plain rows",
    { ...byMonth, options: { pushdown: false } },
    { grouping: months },
    { grouping: months, levelsAnywhere: true },
  ],
  [
    "a level in a time zone",
    { ...byMonth, options: { pushdown: true, timezone_id: "Asia/Tokyo" } },
    { grouping: months },
    { grouping: { ...months, timezones: true } },
  ],
];

suite("plugins/sdk/checkDeclared", (test) => {
  for (const [what, part, without, declared] of clauses) {
    test(`a query with ${what} that the plugin does not declare fails with PLUGIN_NOT_OFFERED`, async () => {
      assert.is(await codeOf(without, part), "PLUGIN_NOT_OFFERED");
    });
    test(`a query with ${what} that the plugin declares reaches the plugin`, async () => {
      assert.is(await codeOf(declared, part), "answered");
    });
  }
});
