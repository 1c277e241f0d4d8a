import * as assert from "uvu/assert";
import { openUrlOf } from "../../../../core/assistant/answers/openUrl.ts";
import { queryOf, readItem } from "../../../../core/web/charts/index.ts";
import { itemOf, whereOf } from "../../../../core/web/console/questions/itemOf.ts";
import { readQuestion } from "../../../../core/web/console/questions/question.ts";
import type {
  ExploredColumn,
  ExploredDataset,
} from "../../../../core/web/console/questions/columns.ts";
import { createRandom, withSeed } from "../../../support/random.ts";
import { suite } from "../../../support/suite.ts";

type Json = Readonly<Record<string, unknown>>;
const datasetId = "00000000-0000-4000-8000-00000000000d";
const column = (id: string, type: ExploredColumn["type"]): ExploredColumn => ({
  id,
  type,
  name: { en: `Column ${id}` },
  description: null,
  subtype: null,
  format: null,
  expression: null,
  lowestLevel: 9,
  minimum: null,
  maximum: null,
  aggregation_type: null,
  order: 0,
});
const dataset: ExploredDataset = {
  id: datasetId,
  name: { en: "Trips" },
  rows: 6,
  storage: "strata",
  columns: [
    column("region", "hierarchy"),
    column("city", "hierarchy"),
    column("day", "datetime"),
    column("km", "numeric"),
  ],
};
const of = (id: string) => ({ dataset_id: datasetId, column_id: id });

const shown = { publicUrl: "https://a.example/x/", numericIds: new Set(["km"]) };

/** Returns the references of a clause in a fixed order, because charts order them differently. */
const written = (clause: unknown) =>
  (clause as readonly unknown[]).map((each) => JSON.stringify(each)).toSorted();

suite("core/assistant/answers/openUrl and core/web/console/questions", (test) => {
  test("an address opens Explore with its query's dimensions, measures and filters", () => {
    const random = createRandom();
    const some = <Value>(from: readonly Value[], least: number, most: number) =>
      from
        .map((value) => ({ value, at: random.below(1_000) }))
        .toSorted((one, other) => one.at - other.at)
        .map(({ value }) => value)
        .slice(0, least + random.below(most - least + 1));
    return withSeed(random, async () => {
      for (let round = 0; round < 300; round++) {
        const groupings = [of("region"), of("city"), { ...of("day"), level: 1 + random.below(6) }];
        const dimensions = some(groupings, 0, 2);
        const measures = some(
          [
            { ...of("km"), aggregation: { type: random.pick(["sum", "average", "max"]) } },
            { ...of("*"), aggregation: { type: "count" } },
            { ...of("city"), aggregation: { type: "distinctcount" } },
          ],
          dimensions.length === 0 ? 1 : 0,
          2,
        );
        const where = some(
          [
            { expression: "? in ?", parameters: [of("region"), ["a&b=c#", "ü", null]] },
            { expression: "? is not null", parameters: [of("city")] },
            { expression: "? >= ?", parameters: [of("km"), random.below(10) - 5] },
          ],
          0,
          3,
        );
        const chart = random.pick(["bar-chart", "line-chart", "column-chart", ""]);
        const query = { dimensions, measures, where, limit: { by: 1_001 } };
        const url = new URL(openUrlOf({ query, chart }, shown) ?? "");
        assert.is(url.pathname, `/x/explore/${datasetId}`);
        const question = readQuestion(url.searchParams.get("q"));
        assert.equal(question.filters.length, where.length);
        const built: Json = queryOf(readItem(itemOf(question, dataset)))?.query ?? {};
        assert.equal(written(built["dimensions"]), written(dimensions));
        assert.equal(written(built["measures"]), written(measures));
        assert.equal(whereOf(question.filters, datasetId), where);
      }
    });
  });

  test("a query that Explore cannot express opens unchanged on the Ask page", () => {
    const measures = [{ ...of("*"), aggregation: { type: "count" } }];
    const other = { dataset_id: "00000000-0000-4000-8000-00000000000e", column_id: "x" };
    const odd: readonly Json[] = [
      { measures: [{ dataset_id: datasetId, formula_id: "f" }] },
      { dimensions: [of("km")], measures },
      { dimensions: [of("region"), of("city"), of("day")], measures },
      { dimensions: [of("region"), other], measures },
      { dimensions: [{ ...of("region"), discretization: { type: "linear", bins: 3 } }], measures },
      { measures: [{ ...of("km"), aggregation: { type: "average", column_id: "w" } }] },
      { measures, having: [{ expression: "? > ?", parameters: [...measures, 1] }] },
      { dimensions: [of("region")], measures, order: [{ ...of("region"), order: "asc" }] },
      { measures, limit: { by: 5 } },
      { measures, limit: { by: 2_000, offset: 10 } },
      { measures, where: [{ or: [{ expression: "? is null", parameters: [of("city")] }] }] },
      {
        measures,
        where: [
          { expression: "? last_completed ?", parameters: [of("day"), { unit: 3, quantity: 1 }] },
        ],
      },
      { dimensions: [of("region")], options: { rollup_data: false, cells: "plain" } },
      {},
    ];
    for (const query of odd) {
      const url = new URL(openUrlOf({ query, title: { en: "é" } }, shown) ?? "");
      assert.is(url.pathname, "/x/ask", JSON.stringify(query));
      const { options, ...clauses } = query;
      assert.equal(JSON.parse(url.searchParams.get("answer") ?? ""), {
        title: { en: "é" },
        query: options ? { ...clauses, options: { rollup_data: false } } : clauses,
      });
    }
  });

  test("a query that is too long for an address gets no address", () => {
    const values = Array.from({ length: 2_000 }, (_, index) => `value ${index}`);
    const query = {
      measures: [{ ...of("*"), aggregation: { type: "count" } }],
      where: [{ expression: "? in ?", parameters: [of("region"), values] }],
    };
    assert.is(openUrlOf({ query }, shown), undefined);
  });
});
