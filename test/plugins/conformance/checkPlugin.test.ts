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

const queryCount = rounds({ quick: 100, deep: 300 });

/** A few functions. They are enough to detect a faulty plugin, because the queries for all functions are similar. */
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
  test("an honest plugin passes the conformance kit, which proves each claim that it tests", async () => {
    const random = createRandom();
    await withSeed(random, async () => {
      const plugin = openPlain();
      fillJoined(plugin);
      const report = await checkPlugin({
        plugin,
        seed: random.below(2 ** 31),
        queryCount: rounds({ quick: 100, deep: 3000 }),
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

  test("plugins that declare only some of the capabilities pass the conformance kit without findings", async () => {
    const random = createRandom();
    await withSeed(random, async () => {
      for (let round = 0; round < rounds({ quick: 1, deep: 4, soak: 15 }); round++) {
        const plugin = openPlain(randomCapabilities(random));
        const report = await checkPlugin({
          plugin,
          seed: random.below(2 ** 31),
          queryCount: rounds({ quick: 100, deep: 400 }),
        });
        assert.equal(doesOf(report), []);
      }
    });
  });

  /** Matches the kit's description of each faulty plugin in test/support/liars.ts. */
  const names: Readonly<Record<string, RegExp>> = {
    "ignores != and not in": /ignores the operator (!=|not in)/,
    "ignores = and in": /ignores the operator (=|in)$/,
    "ignores all filters": /ignores the operator/,
    "drops null under every test": /drops rows with null under negative operators/,
    "sends every group twice": /repeats rows/,
    "sends a group in two parts": /^returns the same group more than once$/,
    "starts weeks on Sunday": /^starts weeks on Sunday, but includes Sundays in the week before$/,
    "ignores levels": /ignores levels/,
    "truncates in the time zone of its server": /returns wrong cells|truncates/,
    "returns null for extremes": /returns wrong cells/,
    "sorts in the opposite direction": /^sorts in the opposite direction$/,
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

  /** Matches a deviation if there are other deviations that differ from it only in a number or a time zone. */
  const family = /by -?\d+ (day|hour)|\d rows|offset [+-]|time zone (?!of|Europe)/;
  for (const { does, semantics, concerns } of deviations)
    if (!family.test(does) && !does.includes("UTF-16"))
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
          // A few queries suffice for most deviations.
          let names: readonly string[] = [];
          for (const queryCount of [200, 1200]) {
            const report = await checkPlugin({
              plugin: deviating,
              seed: 1,
              queryCount,
              checksUnclaimed: false,
            });
            names = doesOf(report);
            if (names.includes(does)) return;
          }
          assert.unreachable([...new Set(names)].join("; "));
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

  test("the conformance kit detects a plugin that refuses a clause that it declares, or fails with a wrong error", async () => {
    // The kit has few other claims to check.
    const { projection = false, grouping } = everyCapability;
    const honest = openPlain({ projection, ...(grouping && { grouping }), having: true });
    const refusing = (refuse: () => Error): Plugin => ({
      ...honest,
      query: (call) => (call.query.having ? Promise.reject(refuse()) : honest.query(call)),
    });
    for (const [refuse, name] of [
      [
        () => new PluginError("PLUGIN_NOT_OFFERED", ["having"]),
        /^refuses a query that it promises to answer: .*having/,
      ],
      [() => new RangeError("a bug"), /RangeError: a bug, which is not a PluginError/],
    ] as const) {
      const report = await checkPlugin({
        plugin: refusing(refuse),
        seed: 1,
        queryCount: 150,
      });
      assert.equal(
        wrongOf(report).map(({ claim }) => claim),
        ["having"],
      );
      assert.match(doesOf(report)[0] ?? "", name);
    }
  });

  test("a claim is not proved if the rows also fit a known deviation", async () => {
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
