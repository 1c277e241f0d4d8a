import * as assert from "uvu/assert";
import {
  definePlugin,
  type PluginDefinition,
  PluginError,
  rowsOfBatch,
} from "../../../plugins/sdk/index.ts";
import type { Query } from "../../../plugins/protocol/index.ts";
import { suite } from "../../support/suite.ts";

const columns = [
  { id: "city", type: "hierarchy" },
  { id: "at", type: "datetime" },
] as const;
const call = () => ({ credentials: { properties: {} }, signal: new AbortController().signal });
const queryOf = (part: Partial<Query> = {}): Query => ({
  id: "d",
  columns: [{ column_id: "city" }],
  filters: [],
  options: { pushdown: false },
  ...part,
});

async function codeOf(run: Promise<unknown>): Promise<string> {
  try {
    await run;
  } catch (failure) {
    if (failure instanceof PluginError) return failure.code;
    throw failure;
  }
  return "";
}

suite("plugins/sdk/definePlugin", (test) => {
  const rows = [
    ["Ghent", new Date(0)],
    [true, "2024-01-01"],
    [null, null],
  ];
  const answers = [
    ["Ghent", "1970-01-01T00:00:00.000Z"],
    ["true", "2024-01-01T00:00:00.000Z"],
    [null, null],
  ];
  const sources = {
    "a list": () => rows,
    "a promise of an array": async () => rows,
    "a generator": function* () {
      yield* rows;
    },
    "an async generator": async function* () {
      yield* rows;
    },
  };
  for (const [what, source] of Object.entries(sources))
    test(`the rows of a plugin may be ${what}`, async () => {
      const plugin = definePlugin({ datasets: [{ id: "d", columns }], rows: source });
      assert.equal(plugin.capabilities, {});
      assert.equal(rowsOfBatch(await plugin.query({ ...call(), query: queryOf() })), answers);
    });

  test("a query of an unknown dataset fails with PLUGIN_UNKNOWN_DATASET, and the plugin's rows function is not called", async () => {
    let callCount = 0;
    const plugin = definePlugin({
      datasets: [{ id: "d", columns }],
      rows: () => {
        callCount += 1;
        return [];
      },
    });
    assert.is(
      await codeOf(plugin.query({ ...call(), query: queryOf({ id: "x" }) })),
      "PLUGIN_UNKNOWN_DATASET",
    );
    assert.is(callCount, 0);
  });

  for (const [what, row] of [
    ["width", ["a"]],
    ["type", ["a", "soon"]],
    ["shape", "a"],
  ] as const)
    test(`a row with another ${what} fails with PLUGIN_BAD_ANSWER`, async () => {
      const plugin = definePlugin({ datasets: [{ id: "d", columns }], rows: () => [row as never] });
      assert.is(await codeOf(plugin.query({ ...call(), query: queryOf() })), "PLUGIN_BAD_ANSWER");
    });

  test("the datasets of a plugin may depend on the credentials", async () => {
    const plugin = definePlugin({
      datasets: async ({ credentials }) => [{ id: credentials.key ?? "none", columns }],
      rows: () => [],
    });
    const [dataset] = await plugin.datasets({
      ...call(),
      credentials: { key: "k", properties: {} },
    });
    assert.equal(
      [dataset?.id, dataset?.name, dataset?.columns[0]?.name],
      ["k", { en: "k" }, { en: "city" }],
    );
  });

  const one = (column: object) => ({ datasets: [{ id: "d", columns: [column] }], rows: () => [] });
  const capable = (capabilities: unknown) => ({
    datasets: [],
    query: async () => {},
    capabilities,
  });
  const narrowed = (given: object) => one({ id: "c", type: "numeric", narrowed: given });
  const wrong: readonly (readonly [string, unknown, RegExp])[] = [
    [
      "a misspelt capability",
      capable({ filter: {} }),
      /^capabilities: filter is not a capability; did you mean filters\?$/,
    ],
    [
      "a capability under the name of another protocol",
      capable({ orderBy: true }),
      /orderBy is not a capability; did you mean order\?/,
    ],
    ["an unknown capability", capable({ xyzzy: true }), /xyzzy is not a capability; known are /],
    [
      "a flag that is a string",
      capable({ projection: "yes" }),
      /capabilities\.projection must be true or false, not "yes"/,
    ],
    [
      "a misspelt member of filters",
      capable({ filters: { operators: {}, nestd: true } }),
      /capabilities\.filters: nestd is not a member of filters; did you mean nested\?/,
    ],
    [
      "an unknown operator",
      capable({ filters: { operators: { "==": ["numeric"] } } }),
      /capabilities\.filters\.operators: == is not an operator; did you mean =\?/,
    ],
    [
      "an unknown operator among supersets",
      capable({ filters: { operators: {}, superset: { lik: ["hierarchy"] } } }),
      /capabilities\.filters\.superset: lik is not an operator; did you mean like\?/,
    ],
    [
      "an unknown type of an operator",
      capable({ filters: { operators: { "=": ["string"] } } }),
      /string is not a type of columns; did you mean hierarchy\?/,
    ],
    [
      "filters without operators",
      capable({ filters: {} }),
      /capabilities\.filters\.operators must be an object/,
    ],
    [
      "a misspelt member of grouping",
      capable({ grouping: { aggregations: [], levels: [], timezone: true } }),
      /timezone is not a member of grouping; did you mean timezones\?/,
    ],
    [
      "a misspelt level",
      capable({ grouping: { aggregations: [], levels: ["weeks"] } }),
      /weeks is not a level; did you mean week\?/,
    ],
    [
      "a misspelt member",
      { datasets: [], rows: () => [], authorise: () => {} },
      /authorise is not a member of a plugin; did you mean authorize\?/,
    ],
    [
      "a misspelt member of a dataset",
      {
        datasets: [{ id: "d", columns: [{ id: "c", type: "numeric" }], descripton: "x" }],
        rows: () => [],
      },
      /the dataset "d": descripton is not a member of a dataset; did you mean description\?/,
    ],
    [
      "a misspelt member of a column",
      one({ id: "c", type: "numeric", subtyp: "currency" }),
      /"c": subtyp is not a member of a column; did you mean subtype\?/,
    ],
    [
      "a misspelt member of narrowed",
      narrowed({ filter: {} }),
      /narrowed: filter is not a member of narrowed; did you mean filters\?/,
    ],
    [
      "a misspelt operator of narrowed",
      narrowed({ filters: { "==": "none" } }),
      /narrowed\.filters: == is not an operator; did you mean =\?/,
    ],
    [
      "rows and capabilities",
      { datasets: [], rows: () => [], capabilities: { projection: true } },
      /a plugin with rows must not have capabilities/,
    ],
    ["no datasets", { rows: () => [] }, /datasets must be/],
    ["neither rows nor query", { datasets: [] }, /the function rows or the function query/],
    [
      "both rows and query",
      { datasets: [], rows: () => [], query: async () => {}, capabilities: {} },
      /the function rows or the function query/,
    ],
    ["query without capabilities", { datasets: [], query: async () => {} }, /capabilities/],
    [
      "an unknown function",
      {
        datasets: [],
        query: async () => {},
        capabilities: { expressions: { functions: ["now"] } },
      },
      /capabilities\.expressions\.functions: now is not a function; (did you mean|known are)/,
    ],
    [
      "an unknown aggregation",
      {
        datasets: [],
        query: async () => {},
        capabilities: { grouping: { aggregations: ["mode"], levels: [] } },
      },
      /capabilities\.grouping\.aggregations: mode is not an aggregation; /,
    ],
    [
      "a repeated dataset",
      {
        datasets: [
          { id: "d", columns },
          { id: "d", columns },
        ],
        rows: () => [],
      },
      /the id "d" of a dataset must be unique/,
    ],
    [
      "a dataset without an id",
      { datasets: [{ columns }], rows: () => [] },
      /the id of a dataset must be/,
    ],
    [
      "a dataset without columns",
      { datasets: [{ id: "d", columns: [] }], rows: () => [] },
      /"d" must have at least one column/,
    ],
    [
      "a repeated column",
      { datasets: [{ id: "d", columns: [columns[0], columns[0]] }], rows: () => [] },
      /the id "city" of a column of the dataset "d" must be unique/,
    ],
    [
      "an unknown type",
      one({ id: "c", type: "text" }),
      /"d" with the id "c" must be numeric, .* not "text"/,
    ],
    [
      "a prototype key as type",
      one({ id: "c", type: "constructor" }),
      /must be numeric, .* not "constructor"/,
    ],
    [
      "a subtype of another type",
      one({ id: "c", type: "numeric", subtype: "date" }),
      /"c" must be currency or duration for the type numeric, not "date"/,
    ],
  ];
  for (const [what, definition, message] of wrong)
    test(`a plugin definition with ${what} is refused at once`, () => {
      assert.throws(() => definePlugin(definition as PluginDefinition), message);
    });
});
