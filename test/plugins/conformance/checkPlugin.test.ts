import * as assert from "uvu/assert";
import { answerQuery } from "../../../plugins/conformance/answerQuery.ts";
import { deviations } from "../../../plugins/conformance/deviations.ts";
import { checkPlugin, type CheckReport } from "../../../plugins/conformance/index.ts";
import { protocolSemantics } from "../../../plugins/conformance/semantics.ts";
import {
  answerType,
  columnFinder,
  columnOfCells,
  functions,
  PluginError,
  type Capabilities,
  type Plugin,
} from "../../../plugins/protocol/index.ts";
import { liars, repeater } from "../../support/liars.ts";
import { createPlainPlugin, everyCapability, type PlainPlugin } from "../../support/plainPlugin.ts";
import { createRandom, withSeed } from "../../support/random.ts";
import { randomCapabilities } from "../../support/randomCapabilities.ts";
import { layer, rounds } from "../../support/layer.ts";
import { suite } from "../../support/suite.ts";
import { fillJoined, fillTelling } from "./tellingRows.ts";

const queryCount = rounds({ quick: 150, deep: 300 });

/** A few functions. Queries of all functions are alike, so these are enough to detect a faulty plugin. */
const fewFunctions: Capabilities = {
  ...everyCapability,
  expressions: { functions: ["case", "concat", "equal"] },
};

function openPlain(capabilities?: Capabilities): PlainPlugin {
  const plugin = createPlainPlugin(capabilities);
  fillTelling(plugin);
  return plugin;
}

const wrongOf = ({ claims }: CheckReport) => claims.filter(({ verdict }) => verdict === "wrong");
const doesOf = (report: CheckReport) => [
  ...report.findings.map(({ does }) => does),
  ...wrongOf(report).flatMap(({ findings }) => findings.map(({ does }) => does)),
];

suite("plugins/conformance/checkPlugin", (test) => {
  test("an honest plugin passes the conformance kit, which proves every claim that it tests", async () => {
    const random = createRandom();
    await withSeed(random, async () => {
      const plugin = openPlain();
      fillJoined(plugin);
      const report = await checkPlugin({
        plugin,
        seed: random.below(2 ** 31),
        queryCount: rounds({ quick: 200, deep: 3000 }),
      });
      assert.equal(doesOf(report), []);
      if (layer === "quick") return;
      const unproved = report.claims.filter(({ verdict }) => verdict === "unproved");
      assert.equal(
        unproved.map(({ claim, undistinguished }) => [claim, undistinguished]),
        [],
      );
      assert.is(report.isPassed, true);
    });
  });

  test("plugins that promise only some of the capabilities pass without findings", async () => {
    const random = createRandom();
    await withSeed(random, async () => {
      for (let round = 0; round < rounds({ quick: 1, deep: 15 }); round++) {
        const plugin = openPlain(randomCapabilities(random));
        const report = await checkPlugin({
          plugin,
          seed: random.below(2 ** 31),
          queryCount: rounds({ quick: 200, deep: 400 }),
        });
        assert.equal(doesOf(report), []);
      }
    });
  });

  /** Matches the kit's description of each faulty plugin in test/support/liars.ts. */
  const names: Readonly<Record<string, RegExp>> = {
    "ignores <>": /ignores the operator (!=|not in)/,
    "reads a list as no filter": /ignores the operator (=|in)$/,
    "ignores all filters": /ignores the operator/,
    "drops null under every test": /drops null under negative operators/,
    "sends every group twice": /repeats rows/,
    "sends a group in two parts": /returns wrong cells|repeats rows/,
    "starts weeks on Sunday": /returns wrong cells/,
    "ignores levels": /ignores levels/,
    "truncates in the time zone of its server": /returns wrong cells|truncates/,
    "answers null for extremes": /returns wrong cells/,
    "leaves order and limit to chance": /returns rows in the wrong order/,
  };

  for (const [at, { does, lie }] of liars.entries()) {
    // The quick layer tries only one of these faulty plugins, and the deep layer all of them.
    const declare = at === 0 ? test : test.deep;
    declare(`the conformance kit detects a plugin that ${does}`, async () => {
      const report = await checkPlugin({
        plugin: lie(openPlain(fewFunctions)),
        seed: 1,
        queryCount,
      });
      assert.is(report.isPassed, false);
      assert.ok(
        doesOf(report).some((name) => names[does]?.test(name)),
        doesOf(report).join("; "),
      );
    });
  }

  for (const { does, semantics, concerns } of deviations)
    if (semantics.compareTexts === undefined || does.includes("language"))
      test.deep(
        `the conformance kit describes a faulty plugin with the words: ${does}`,
        async () => {
          const concerned = functions.filter((name) =>
            concerns({ path: "", kind: "function", function: name }),
          );
          const honest = openPlain({
            ...everyCapability,
            expressions: { functions: ["case", ...concerned] },
          });
          fillJoined(honest);
          const call = { credentials: { properties: {} }, signal: new AbortController().signal };
          const datasets = await honest.datasets(call);
          const tables = new Map(
            datasets.map(({ id, columns }) => [id, { columns, rows: honest.rowsOf(id) ?? [] }]),
          );
          const deviating: Plugin = {
            ...honest,
            query: async ({ query, dataset }) => {
              const table = { columns: [], rows: [], ...tables.get(query.id), others: tables };
              const rows = answerQuery(query, table, { ...protocolSemantics, ...semantics });
              const find = columnFinder(query, dataset?.columns ?? []);
              const columns = query.columns.map((column, index) => {
                const found = find(column.column_id);
                const type = answerType(
                  column,
                  found && { id: column.column_id, type: found.type },
                );
                return columnOfCells(
                  { id: column.column_id, type },
                  rows.map((row) => row[index] ?? null),
                );
              });
              return { rowCount: rows.length, columns };
            },
          };
          const report = await checkPlugin({
            plugin: deviating,
            seed: 1,
            queryCount: 1200,
            checksUnclaimed: false,
          });
          const names = [...new Set(doesOf(report))];
          assert.ok(names.includes(does), names.join("; "));
        },
      );

  test("the conformance kit detects a plugin that repeats the previous answer", async () => {
    const report = await checkPlugin({
      plugin: repeater(openPlain(fewFunctions)),
      seed: 1,
      queryCount,
    });
    const names = [...new Set(doesOf(report))];
    assert.ok(names.includes("returns the answer to the previous query"), names.join("; "));
  });

  test("the conformance kit detects a plugin that refuses a promised clause, or fails with a wrong error", async () => {
    const honest = openPlain(fewFunctions);
    const refusing = (refuse: () => Error): Plugin => ({
      ...honest,
      query: (call) => (call.query.having ? Promise.reject(refuse()) : honest.query(call)),
    });
    for (const [refuse, name] of [
      [
        () => new PluginError("PLUGIN_NOT_OFFERED", ["having"]),
        /^refuses what it promises: .*having/,
      ],
      [() => new RangeError("a bug"), /RangeError: a bug, which is not a PluginError/],
    ] as const) {
      const report = await checkPlugin({ plugin: refusing(refuse), seed: 1, queryCount: 300 });
      assert.equal(
        wrongOf(report).map(({ claim }) => claim),
        ["having"],
      );
      assert.match(doesOf(report)[0] ?? "", name);
    }
  });

  test("a claim remains unproved if the rows also fit a known deviation", async () => {
    const plugin = createPlainPlugin();
    plugin.fill("flat", [{ id: "text", type: "hierarchy" }], [["a"], ["b"], ["c"]]);
    const report = await checkPlugin({ plugin, seed: 1, queryCount });
    const like = report.claims.find(({ claim }) => claim === "filters.operators.like.hierarchy");
    assert.is(like?.verdict, "unproved");
    assert.ok(like?.undistinguished.includes("folds the case of ASCII letters only"));
    const week = report.claims.find(({ claim }) => claim === "grouping.levels.week");
    assert.is(week?.verdict, "unproved");
    assert.is(week?.queryCount, 0);
  });

  test.deep("the same seed produces the same conformance queries", async () => {
    const [one, other] = [openPlain(fewFunctions), openPlain(fewFunctions)];
    for (const plugin of [one, other]) await checkPlugin({ plugin, seed: 7, queryCount: 200 });
    assert.equal(one.requested, other.requested);
  });
});
