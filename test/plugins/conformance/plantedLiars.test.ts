import * as assert from "uvu/assert";
import { causesOf, checkPlugin, findingsOf } from "../../../plugins/conformance/index.ts";
import { testedColumns } from "../../../plugins/conformance/shrinkQuery.ts";
import {
  batchOfRows,
  type Cell,
  type Plugin,
  type Query,
  rowsOfBatch,
} from "../../../plugins/protocol/index.ts";
import { rounds } from "../../support/layer.ts";
import { createRandom, withSeed } from "../../support/random.ts";
import { suite } from "../../support/suite.ts";
import { type Mistake, mistakeNames, plantedPlugin } from "./plantedLiars.ts";

const queryCount = rounds({ quick: 200, deep: 700 });

type Rows = readonly (readonly Cell[])[];
type Change = (rows: Rows, query: Query) => Rows;

/** Mistakes that are common in plugins. */
const quickMistakes = ["nested groups dropped"];

suite("plugins/conformance/plantedLiars", (test) => {
  test("an honest plugin over plain arrays passes the conformance kit without findings", async () => {
    const random = createRandom();
    await withSeed(random, async () => {
      for (let round = 0; round < rounds({ quick: 1, deep: 15, soak: 50 }); round++) {
        const seed = random.below(2 ** 31);
        const report = await checkPlugin({
          plugin: plantedPlugin(),
          seed,
          queryCount: rounds({ quick: 100, deep: 350 }),
        });
        assert.equal(
          findingsOf(report).map(({ does }) => does),
          [],
          `seed ${seed}`,
        );
      }
    });
  });

  for (const [at, [mistake, name]] of Object.entries(mistakeNames).entries()) {
    // The quick layer tries only a few of these mistakes, and the deep layer all of them.
    const isQuick = at === 0 || quickMistakes.includes(mistake);
    const declare = isQuick ? test : test.deep;
    declare(
      `the conformance kit names the planted mistake "${mistake}" as the only cause`,
      async () => {
        const plugin = plantedPlugin(mistake as Mistake);
        const report = await checkPlugin({ plugin, seed: 1, queryCount, checksUnclaimed: false });
        const causes = causesOf(report).map(({ does }) => does);
        assert.is(report.isPassed, false);
        assert.ok(
          causes.some((does) => name.test(does)),
          causes.join("; "),
        );
        // This plugin also changes previous answers so that they fit the columns of the query.
        if (mistake !== "previous answer") assert.is(causes.length, 1, causes.join("; "));
      },
    );
  }

  const others: readonly (readonly [does: string, change: Change])[] = [
    [
      "adds 1 to every sum",
      (rows, { columns }) =>
        rows.map((row) =>
          row.map((cell, at) =>
            columns[at]?.aggregation === "sum" && typeof cell === "number" ? cell + 1 : cell,
          ),
        ),
    ],
    [
      "drops every seventh row of a filtered answer",
      (rows, { filters }) => (filters.length === 0 ? rows : rows.filter((_, at) => at % 7 !== 6)),
    ],
    [
      "returns x instead of strings that begin with a, in sorted answers",
      (rows, { order }) =>
        order
          ? rows.map((row) =>
              row.map((cell) => (typeof cell === "string" && cell.startsWith("a") ? "x" : cell)),
            )
          : rows,
    ],
  ];
  for (const [at, [does, change]] of others.entries())
    (at === 0 ? test : test.deep)(
      `the conformance kit names no false cause for a plugin that ${does}`,
      async () => {
        const honest = plantedPlugin();
        const plugin: Plugin = {
          ...honest,
          async query(call) {
            const { applied, ...batch } = await honest.query(call);
            const rows = change(rowsOfBatch(batch), call.query);
            const columns = call.query.columns.map(({ column_id }, index) => ({
              id: column_id,
              type: batch.columns[index]?.type ?? "numeric",
            }));
            return { ...batchOfRows(columns, rows), ...(applied && { applied }) };
          },
        };
        const report = await checkPlugin({ plugin, seed: 1, queryCount, checksUnclaimed: false });
        assert.is(report.isPassed, false);
        for (const cause of causesOf(report)) {
          assert.ok(cause.isUnexplained, `${cause.does}: ${cause.claims.join()}`);
          for (const { difference } of cause.findings) assert.ok(difference);
        }
      },
    );

  test("the conformance kit names both causes of a plugin with two planted mistakes", async () => {
    const [weeks, limits] = [plantedPlugin("Sunday weeks"), plantedPlugin("limit + 1")];
    const plugin: Plugin = {
      ...weeks,
      query: (call) => (call.query.limit ? limits : weeks).query(call),
    };
    const report = await checkPlugin({ plugin, seed: 1, queryCount, checksUnclaimed: false });
    assert.equal(
      causesOf(report)
        .map(({ does }) => does)
        .toSorted(),
      ["returns one row more than the limit", "starts weeks on Sunday"],
    );
  });

  test("a finding shows the first difference, both row counts and the filtered column", async () => {
    const plugin = plantedPlugin("!= drops null");
    const report = await checkPlugin({ plugin, seed: 1, queryCount, checksUnclaimed: false });
    const [cause] = causesOf(report);
    assert.equal(
      cause?.claims.filter((claim) => claim.includes("!=")),
      ["numeric", "datetime", "hierarchy"].map((type) => `filters.operators.!=.${type}`),
    );
    for (const { query, difference } of cause?.findings ?? []) {
      assert.ok(difference && query);
      const { expectedCount, answeredCount, rows, row, firstShown } = difference;
      assert.ok(expectedCount > answeredCount);
      const shown = query.columns.map(({ column_id }) => column_id);
      for (const id of testedColumns(query)) assert.ok(shown.includes(id), id);
      const at = rows.findIndex(({ isDifferent }) => isDifferent);
      assert.is(at, row - firstShown);
      assert.ok(at <= 2 && rows.length <= 5);
      assert.ok(rows[at]?.expected?.includes(null));
      assert.is(rows[at]?.answered, undefined);
    }
  });
});
