import * as assert from "uvu/assert";
import {
  itemOf,
  rankingOf,
  type ExploredDataset,
} from "../../../../../core/web/console/questions/index.ts";
import {
  readQuestion,
  writeQuestion,
  type Question,
} from "../../../../../core/web/console/questions/question.ts";
import { suite } from "../../../../support/suite.ts";

const city = {
  id: "city",
  name: { en: "City" },
  description: null,
  type: "hierarchy",
  subtype: null,
  format: null,
  expression: null,
  lowestLevel: 0,
  minimum: null,
  maximum: null,
  aggregation_type: null,
  order: 0,
} as const;
const dataset: ExploredDataset = {
  id: "d",
  name: { en: "D" },
  rows: 1,
  storage: null,
  columns: [city, { ...city, id: "kind" }],
};
const ranked: Question = {
  rows: [{ id: "city" }],
  measures: [{ id: "*", aggregation: "count" }],
  filters: [],
  chart: "",
  order: { by: "category", direction: "desc" },
  limit: 20,
};

suite("core/web/console/questions/question", (test) => {
  test("an address keeps the order and the number of groups of a question", () => {
    assert.equal(readQuestion(writeQuestion(ranked)), ranked);
  });

  test("an order or a number of groups of another form counts as missing", () => {
    const wrong = [
      { order: "category desc", limit: "10" },
      { order: { by: "price", direction: "desc" }, limit: 0 },
      { order: { by: "category" }, limit: 1.5 },
      { order: null, limit: -3 },
    ];
    for (const each of wrong) {
      const { order, limit } = readQuestion(JSON.stringify({ ...ranked, ...each }));
      assert.equal([order, limit], [undefined, undefined]);
    }
  });

  test("an item stores the order and the number of groups as its options", () => {
    const { options } = itemOf(ranked, dataset);
    assert.equal(options["sort"], { by: "category", direction: "desc" });
    assert.equal(options["limit"], { number: 20 });
  });

  test("only charts of one list of groups are limited", () => {
    const both = { ...ranked, color: { id: "kind" } };
    assert.equal(rankingOf(ranked, "bar-chart"), { hasOrder: true, hasLimit: true });
    assert.equal(rankingOf(both, "bar-chart"), { hasOrder: true, hasLimit: false });
    assert.equal(rankingOf(both, "regular-table"), { hasOrder: true, hasLimit: true });
    assert.equal(rankingOf(ranked, "donut-chart"), { hasOrder: true, hasLimit: false });
    assert.equal(rankingOf({ ...ranked, rows: [] }, "evolution-number"), {
      hasOrder: false,
      hasLimit: false,
    });
    assert.is(itemOf(both, dataset).options["limit"], undefined);
  });
});
