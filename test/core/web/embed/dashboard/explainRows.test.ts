import * as assert from "uvu/assert";
import { readItem } from "../../../../../core/web/charts/index.ts";
import { explainRows } from "../../../../../core/web/embed/dashboard/explainRows.ts";
import type { CallHost } from "../../../../../core/web/embed/host/index.ts";
import { suite } from "../../../../support/suite.ts";

const item = readItem({
  id: "i",
  type: "bar-chart",
  slots: [
    { name: "y-axis", content: [{ datasetId: "d", columnId: "c", type: "hierarchy" }] },
    { name: "measure", content: [{ datasetId: "d", columnId: "m", type: "numeric" }] },
  ],
});

suite("core/web/embed/dashboard/explainRows", (test) => {
  /** Explains an item with two stored filters and one of the reader, from the rows that each query counts. */
  async function explain(
    counts: readonly (number | undefined)[],
    origins: readonly string[] = [],
    isEmpty = true,
  ) {
    const sent: {
      readonly find: { readonly queries: readonly { readonly where: unknown[] }[] };
    }[] = [];
    const callHost = (async (_resource: string, body: unknown) => {
      sent.push(body as (typeof sent)[number]);
      return counts.map((count) => ({
        data: [[count]],
        explain: { filters: origins.map((origin) => ({ origin })) },
      }));
    }) as unknown as CallHost;
    const said = await explainRows({
      item,
      isEmpty,
      filters: { where: ["a", "b", "c"], addedCount: 1, having: [] },
      callHost,
      signal: new AbortController().signal,
      localeId: "en",
      timezoneId: "UTC",
    });
    const asked = sent[0]?.find.queries.map(({ where }) => where);
    assert.equal(asked, [[], ["a", "b"], ["a", "b", "c"]]);
    return said;
  }

  test("filters of the dashboard and choices of the reader are told apart", async () => {
    assert.equal(await explain([5_000, 0, 0]), [
      "Rows left by the filters of this dashboard: 0 of 5,000.",
    ]);
    assert.equal(await explain([5_000, 120, 0]), [
      "Rows left by the filters of this dashboard: 120 of 5,000.",
      "Rows left by your choices: 0 of 120.",
    ]);
  });

  test("limited access is said without a number of rows outside it", async () => {
    assert.equal(await explain([0, 0, 0], ["question", "token"]), [
      "This page limits your access to a part of the data.",
    ]);
    assert.equal(await explain([40, 40, 0], ["share", "filter_group"]), [
      "A share limits your access to a part of the data.",
      "Your access is limited to a part of the data.",
      "Rows left by your choices: 0 of 40.",
    ]);
  });

  test("data without rows, and groups that filters on values remove, are said", async () => {
    assert.equal(await explain([0, 0, 0]), ["The data has no rows."]);
    assert.equal(await explain([10, 10, 10]), [
      "Rows found: 10, but no value passes the filters on values.",
    ]);
  });

  test("nothing is said if the host does not count", async () => {
    assert.equal(await explain([5_000, undefined, 0]), []);
  });

  test("a chart with rows says what leaves out others, and that nothing does", async () => {
    assert.equal(await explain([5_000, 120, 40], ["share"], false), [
      "A share limits your access to a part of the data.",
      "Rows left by the filters of this dashboard: 120 of 5,000.",
      "Rows left by your choices: 40 of 120.",
    ]);
    assert.equal(await explain([5_000, 5_000, 5_000], [], false), [
      "No filter applies to the rows: 5,000.",
    ]);
  });
});
