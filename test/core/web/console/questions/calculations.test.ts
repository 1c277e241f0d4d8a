import * as assert from "uvu/assert";
import { readItem } from "../../../../../core/web/charts/index.ts";
import {
  emptyQuestion,
  itemOf,
  offeredCalculations,
  phraseOfMeasure,
  questionTitle,
  readQuestion,
  readStoredQuestion,
  withQuestion,
  writeQuestion,
  type ExploredColumn,
  type ExploredDataset,
  type Measure,
  type Question,
} from "../../../../../core/web/console/questions/index.ts";
import { suite } from "../../../../support/suite.ts";

const column = (id: string, type: ExploredColumn["type"]): ExploredColumn => ({
  id,
  name: { en: id },
  description: null,
  type,
  subtype: null,
  format: null,
  expression: null,
  aggregation_type: null,
  minimum: null,
  maximum: null,
  lowestLevel: 0,
  order: 0,
});
const list = [column("km", "numeric"), column("day", "datetime"), column("city", "hierarchy")];
const dataset: ExploredDataset = {
  id: "d",
  name: { en: "Trips" },
  rows: 1,
  storage: null,
  columns: list,
};
const columns = new Map(list.map((each) => [each.id, each]));

const asked = (measure: Measure, level?: number): Question => ({
  ...emptyQuestion,
  chart: "regular-table",
  rows: level === undefined ? [{ id: "city" }] : [{ id: "day", level }],
  measures: [measure],
});
const total: Measure = { id: "km", aggregation: "sum" };
const namesOf = (measure: Measure, level?: number) =>
  offeredCalculations(measure, asked(measure, level), columns).map((each) =>
    "from" in each ? `${each.type} ${each.from}` : each.type,
  );
const fieldOf = (item: object) =>
  readItem(item).fields.find(({ aggregation }) => aggregation !== undefined);

suite("core/web/console/questions/calculations", (test) => {
  test("shares need parts of a whole, and comparisons need a time by which the question groups", () => {
    assert.equal(namesOf(total), ["share_of_total", "rank"]);
    assert.equal(namesOf({ id: "km", aggregation: "average" }), ["rank"]);
    assert.equal(namesOf({ id: "*", aggregation: "count" }), ["share_of_total", "rank"]);
    assert.equal(namesOf({ id: "city", aggregation: "max" }), []);
    assert.equal(namesOf({ id: "formula", aggregation: "" }, 3), []);
    assert.equal(namesOf(total, 1).slice(2), [
      "past period",
      "absolute_change period",
      "percentage_change period",
    ]);
    assert.is(namesOf(total, 3).length, 8);
  });

  test("every offered calculation survives the address, the stored item and the way back", () => {
    for (const level of [undefined, 1, 2, 3, 5])
      for (const calculation of offeredCalculations(total, asked(total, level), columns)) {
        const question = asked({ ...total, calculation }, level);
        assert.equal(readQuestion(writeQuestion(question)), question);
        const stored = readStoredQuestion(itemOf(question, dataset));
        assert.ok(typeof stored !== "string");
        const [measure] = stored.question.measures;
        // A year before is the period before if the periods are years.
        assert.equal(measure, { ...total, calculation }, `${level} ${JSON.stringify(calculation)}`);
      }
  });

  test("a comparison with the previous period follows the level, and ends with the grouping by time", () => {
    const question = asked({ ...total, calculation: { type: "past", from: "period" } }, 3);
    const item = itemOf(question, dataset);
    assert.equal(fieldOf(item)?.calculation, { type: "past", level: 3, quantity: 1 });
    const stored = readStoredQuestion(item);
    assert.ok(typeof stored !== "string");
    const byQuarter = { ...stored.question, rows: [{ id: "day", level: 2 }] };
    const changed = withQuestion(item, stored, byQuarter, dataset);
    assert.equal(fieldOf(changed)?.calculation, { type: "past", level: 2, quantity: 1 });
    const byCity = { ...stored.question, rows: [{ id: "city" }] };
    const ended = withQuestion(item, stored, byCity, dataset);
    assert.is(fieldOf(ended)?.calculation, undefined);
    assert.is(phraseOfMeasure(byCity.measures[0]!, byCity, columns), "Total km");
  });

  test("a comparison that the menu does not offer stays while other members change", () => {
    const plain = itemOf(asked(total, 3), dataset);
    const periodOverPeriod = { type: "past", level: 5, quantity: 364 };
    const slots = plain.slots.map((slot) => ({
      ...slot,
      content: slot.content.map((each) =>
        "aggregationFunc" in each ? { ...each, periodOverPeriod } : each,
      ),
    }));
    const item = { ...plain, slots };
    const stored = readStoredQuestion(item);
    assert.ok(typeof stored !== "string");
    assert.is(stored.question.measures[0]?.calculation, undefined);
    const measures = [{ ...stored.question.measures[0]!, aggregation: "average" }];
    const changed = withQuestion(item, stored, { ...stored.question, measures }, dataset);
    assert.equal(fieldOf(changed)?.calculation, { type: "past", level: 5, quantity: 364 });
  });

  test("titles and chips name the calculation, and a stored measure keeps the name of its value", () => {
    const shared = asked({ ...total, calculation: { type: "share_of_total" } });
    assert.is(questionTitle(shared, columns), "Total km: share of the total by city");
    assert.is(
      phraseOfMeasure(shared.measures[0]!, shared, columns),
      "Total km: share of the total",
    );
    const item = itemOf(shared, dataset);
    assert.equal(fieldOf(item)?.label, { en: "Total km" });
    // The columns of a stored item name the count of rows as well.
    const counted = new Map([...columns, ["*", column("Count of rows", "numeric")]]);
    const count = asked({ id: "*", aggregation: "count" });
    assert.is(phraseOfMeasure(count.measures[0]!, count, counted), "Count of rows");
    const stored = readStoredQuestion(item);
    assert.ok(typeof stored !== "string");
    const plain = withQuestion(item, stored, { ...stored.question, measures: [total] }, dataset);
    assert.equal(fieldOf(plain)?.label, { en: "Total km" });
    assert.is(fieldOf(plain)?.calculation, undefined);
  });
});
