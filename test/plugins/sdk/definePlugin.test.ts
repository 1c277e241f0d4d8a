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

  test("a query of an unknown dataset fails with PLUGIN_UNKNOWN_DATASET, and rows is not called", async () => {
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
  const wrong: readonly (readonly [string, unknown, RegExp])[] = [
    ["no datasets", { rows: () => [] }, /datasets must be/],
    ["neither rows nor query", { datasets: [] }, /one of the functions rows and query/],
    [
      "both rows and query",
      { datasets: [], rows: () => [], query: async () => {}, capabilities: {} },
      /one of the functions rows and query/,
    ],
    ["query without capabilities", { datasets: [], query: async () => {} }, /capabilities/],
    [
      "an unknown function",
      {
        datasets: [],
        query: async () => {},
        capabilities: { expressions: { functions: ["now"] } },
      },
      /the unknown function "now"; known are and, or/,
    ],
    [
      "an unknown aggregation",
      {
        datasets: [],
        query: async () => {},
        capabilities: { grouping: { aggregations: ["mode"], levels: [] } },
      },
      /"mode"/,
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
      "a dataset without id",
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
    test(`a plugin definition with ${what} is refused immediately`, () => {
      assert.throws(() => definePlugin(definition as PluginDefinition), message);
    });
});
