import * as assert from "uvu/assert";
import { openEverySource, type EverySource } from "../../../support/everySource.ts";
import { createPlainHost, type PlainHost } from "../../../support/plainHost.ts";
import { refusal } from "../../../support/refused.ts";
import { suite } from "../../../support/suite.ts";

const ref = (column_id: string, more: object = {}) => ({ dataset_id: "D", column_id, ...more });
const columns = [
  { id: "day", type: "datetime" },
  { id: "city", type: "hierarchy" },
  { id: "km", type: "numeric" },
] as const;
const rows = [
  ["2024-01-01T00:00:00.000Z", "Ghent", 1],
  ["2024-01-01T00:00:00.000Z", "Lille", 10],
  ["2024-01-02T00:00:00.000Z", "Ghent", 2],
  ["2024-01-02T00:00:00.000Z", null, 100],
  ["2024-01-03T00:00:00.000Z", "Lille", null],
  ["2024-01-03T00:00:00.000Z", "Ghent", 4],
  ["2024-02-01T00:00:00.000Z", null, 200],
] as const;
const running = (per?: unknown) => ref("km", { aggregation: { type: "cumulativesum", per } });

suite("core/queries/resolve/sumsPerSeries", (test) => {
  let sources: EverySource;
  test.before(async () => {
    sources = await openEverySource();
  });
  test.after(() => sources.close());

  const answerOf = async (host: PlainHost, query: object) =>
    (await host.sendQuery({ ...query, options: { cells: "plain" } })).data;

  test("a cumulative sum starts again for each combination of the dimensions in `per`, from every source", async () => {
    for (const [name, host] of await sources.hosts({ columns, rows })) {
      const dimensions = [ref("day"), ref("city")];
      const all = await answerOf(host, {
        dimensions,
        measures: [running([ref("city")]), running()],
      });
      assert.equal(
        all.map(([, city, own, whole]) => [city, own, whole]),
        [
          ["Ghent", 1, 1],
          ["Lille", 10, 11],
          ["Ghent", 3, 13],
          [null, 100, 113],
          ["Ghent", 7, 117],
          ["Lille", 10, 117],
          [null, 300, 317],
        ],
        name,
      );
      const ofMonths = await answerOf(host, {
        dimensions: [ref("day"), ref("day", { level: 3 }), ref("city")],
        measures: [running([ref("day", { level: 3 })])],
        order: [ref("day", { order: "desc" }), ref("city", { order: "desc" })],
        limit: { by: 3 },
      });
      assert.equal(
        ofMonths.map((cells) => cells[3]),
        [200, null, 4],
        name,
      );
    }
  });

  test("the dimensions in `per` must be dimensions of the query, and only a cumulative sum can have them", async () => {
    const host = await createPlainHost({ columns, rows });
    const refused = async (measure: object) =>
      (await refusal(host.sendQuery({ dimensions: [ref("day")], measures: [measure] }))).message;
    assert.match(await refused(running([ref("city")])), /must be a dimension/);
    assert.match(
      await refused(ref("km", { aggregation: { type: "sum", per: [ref("day")] } })),
      /only cumulativesum can have it, not sum; leave it out/,
    );
    assert.match(await refused(running("city")), /must be a list|list/);
    assert.match(
      await refused(running([ref("day", { dataset_id: "other" })])),
      /there is no dataset other/,
    );
  });
});
