import * as assert from "uvu/assert";
import { causesOf, checkPlugin, textReport } from "../../../plugins/conformance/index.ts";
import {
  batchOfRows,
  type Dataset,
  type Plugin,
  PluginError,
} from "../../../plugins/protocol/index.ts";
import { suite } from "../../support/suite.ts";
import { plantedPlugin } from "./plantedLiars.ts";

const target = {
  name: "odd",
  url: "http://127.0.0.1:9",
  protocolVersion: "manifold-1",
  hasSecret: false,
  credentialIds: [],
};
const options = { seed: 1, queryCount: 100, checksUnclaimed: false };
const number: Dataset = {
  id: "rows",
  name: {},
  columns: [{ id: "n", name: {}, type: "numeric" }],
};

/** Creates a basic plugin whose datasets have the given number of rows. */
function basicPlugin(datasets: readonly Dataset[], rowCount: number): Plugin {
  return {
    capabilities: {},
    datasets: async () => datasets,
    query: async () =>
      batchOfRows(
        [{ id: "n", type: "numeric" }],
        Array.from({ length: rowCount }, (_, row) => [row]),
      ),
  };
}

const doesOf = (report: Parameters<typeof causesOf>[0]) => causesOf(report).map(({ does }) => does);

suite("plugins/conformance, odd targets", (test) => {
  test("the check stops after a few queries that are not answered in time", async () => {
    const honest = plantedPlugin();
    let queryCount = 0;
    const plugin: Plugin = {
      ...honest,
      query: (call) =>
        queryCount++ < 3
          ? honest.query(call)
          : Promise.reject(new PluginError("PLUGIN_TIMEOUT", ["127.0.0.1 took too long"])),
    };
    const report = await checkPlugin({ plugin, ...options });
    assert.is(report.isPassed, false);
    assert.ok(queryCount <= 6, `${queryCount} queries`);
    assert.match(doesOf(report)[0] ?? "", /^stops answering: 3 queries were not answered in time/);
  });

  test("wrong answers about rows that change during the check are not blamed on the claims", async () => {
    const [honest, other] = [plantedPlugin(), plantedPlugin("a row twice")];
    let queryCount = 0;
    const plugin: Plugin = {
      ...honest,
      async query(call) {
        const answer = await (queryCount++ < 3 ? honest : other).query(call);
        if (call.query.options.pushdown || queryCount <= 3) return answer;
        // One more row arrives after the check has begun.
        const rows = Array.from({ length: answer.rowCount }, (_, row) => row);
        return { ...answer, ...withRows(answer, [...rows, 0]) };
      },
    };
    const report = await checkPlugin({ plugin, ...options, queryCount: 40 });
    assert.is(report.isPassed, false);
    assert.equal(doesOf(report), [
      "changes its rows during the check, so answers about them cannot be judged; check it on rows that stay the same",
    ]);
    const [{ difference } = {}] = report.findings;
    assert.equal([difference?.expectedCount, difference?.answeredCount], [120, 121]);
  });

  test("a dataset of 6,000 rows is skipped, and a note states its row count and the limit", async () => {
    const report = await checkPlugin({ plugin: basicPlugin([number], 6_000), ...options });
    assert.is(report.isPassed, true);
    assert.equal(report.notes, [
      'the dataset "rows" has 6000 rows, more than 5000, so it was not checked',
      "no dataset could be checked, so nothing is proved",
    ]);
    assert.ok(textReport(report, target).length < 1000);
  });

  test("repeated ids of columns and datasets are reported, and the datasets concerned are not checked", async () => {
    const columns = [...number.columns, ...number.columns];
    const datasets = [number, number, { ...number, id: "other", columns }];
    const report = await checkPlugin({ plugin: basicPlugin(datasets, 3), ...options });
    assert.equal(doesOf(report), [
      'lists the dataset "rows" twice',
      'lists the column "n" of the dataset "other" twice',
    ]);
    assert.equal(report.rowCounts, { rows: 3 });
  });

  test("the report notes empty datasets and a plugin without datasets", async () => {
    const empty = await checkPlugin({ plugin: basicPlugin([number], 0), ...options });
    assert.equal(empty.notes, [
      'the dataset "rows" has no rows, so it was not checked',
      "no dataset could be checked, so nothing is proved",
    ]);
    const none = await checkPlugin({ plugin: basicPlugin([], 0), ...options });
    assert.equal(none.notes, [
      "the plugin lists no datasets",
      "no dataset could be checked, so nothing is proved",
    ]);
  });

  test("credentials that are refused for every dataset end the check with PLUGIN_FORBIDDEN", async () => {
    for (const refuse of [
      () => new PluginError("PLUGIN_FORBIDDEN", ["the API refuses the token"]),
      () => new PluginError("PLUGIN_SOURCE_FAILED", ["the API returned status 401"]),
    ]) {
      const plugin = { ...basicPlugin([number], 3), query: () => Promise.reject(refuse()) };
      const failure = await checkPlugin({ plugin, ...options }).then(
        () => undefined,
        (thrown: unknown) => thrown,
      );
      assert.instance(failure, PluginError);
      assert.is((failure as PluginError).code, "PLUGIN_FORBIDDEN");
      assert.match((failure as PluginError).message, /the API re/);
    }
  });

  test("a finding shortens long cells around the difference, and states their length", async () => {
    const long = (end: string) => `${"x".repeat(100_000)}${end}`;
    const rows = [long("a"), long("b"), "short"];
    const plugin: Plugin = {
      capabilities: { projection: true, order: true },
      datasets: async () => [
        { id: "rows", name: {}, columns: [{ id: "text", name: {}, type: "hierarchy" }] },
      ],
      query: async ({ query }) => {
        const columns = query.columns.map(({ column_id: id }) => ({
          id,
          type: "hierarchy" as const,
        }));
        return batchOfRows(
          columns,
          rows.map((row) => columns.map(() => row)),
        );
      },
    };
    const report = await checkPlugin({ plugin, ...options });
    const text = textReport(report, target);
    assert.match(text, /WRONG {2}order: it /);
    assert.match(text, /> +1 {2}\[…?"x{12,}[ab]?"…? \(100001 characters\)\]/);
    assert.ok(text.length < 3000, `${text.length} characters`);
  });
});

/** Returns an answer that consists of the given rows of another answer. Rows may be repeated. */
function withRows(
  { columns }: Awaited<ReturnType<Plugin["query"]>>,
  rows: readonly number[],
): Pick<Awaited<ReturnType<Plugin["query"]>>, "rowCount" | "columns"> {
  return {
    rowCount: rows.length,
    columns: columns.map((column) =>
      column.type === "hierarchy"
        ? { ...column, codes: Int32Array.from(rows, (row) => column.codes[row] ?? -1) }
        : { ...column, values: Float64Array.from(rows, (row) => column.values[row] ?? Number.NaN) },
    ),
  };
}
