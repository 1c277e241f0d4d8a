import * as assert from "uvu/assert";
import {
  completeItems,
  pickedItem,
  pickKeyOf,
  queryOf,
  readItem,
  unknownPick,
} from "../../../../../core/web/charts/index.ts";
import { suite } from "../../../../support/suite.ts";

const measure = (columnId: string, more: object = {}) => ({
  datasetId: "d",
  columnId,
  type: "numeric",
  aggregationFunc: "sum",
  ...more,
});
const city = { datasetId: "d", columnId: "city", type: "hierarchy" };
const item = readItem({
  id: "i",
  type: "bar-chart",
  slots: [
    { name: "y-axis", content: [city] },
    { name: "measure", content: [measure("km"), measure("price")] },
  ],
  options: {
    interactivity: {
      measureDimensionPicker: [
        {
          slot: "measure",
          values: [
            measure("km"),
            measure("km", { aggregationFunc: "average" }),
            measure("km"),
            {},
            7,
          ],
        },
        { slot: "measure", values: [measure("other")] },
        { slot: "legend", values: [{ ...city, columnId: "kind" }] },
        null,
      ],
    },
  },
});
const [ofMeasure, ofLegend] = item.pickers ?? [];

suite("core/web/charts/item/pickedItem", (test) => {
  test("a picker offers each column with each aggregation once", () => {
    assert.equal(
      ofMeasure?.choices.map(({ columnId, aggregation }) => [columnId, aggregation]),
      [
        ["km", "sum"],
        ["km", "average"],
      ],
    );
    assert.is(item.pickers?.length, 2);
    assert.is(readItem({ type: "bar-chart" }).pickers, undefined);
  });

  test("the chosen column replaces the content of its slot in the query", () => {
    const average = pickKeyOf(ofMeasure!.choices[1]!);
    const picked = pickedItem(item, { measure: average });
    assert.equal(
      picked.fields.map(({ slot, columnId, aggregation }) => [slot, columnId, aggregation]),
      [
        ["y-axis", "city", undefined],
        ["measure", "km", "average"],
      ],
    );
    assert.is(queryOf(picked)?.query.measures?.length, 1);
  });

  test("a choice can fill an empty slot", () => {
    const picked = pickedItem(item, { legend: pickKeyOf(ofLegend!.choices[0]!) });
    assert.equal(queryOf(picked)?.query.dimensions?.length, 2);
  });

  test("choices that the item does not offer have no effect, and are named", () => {
    const foreign = pickKeyOf({
      slot: "measure",
      type: "numeric",
      datasetId: "d",
      columnId: "pay",
    });
    assert.is(pickedItem(item, { measure: foreign }), item);
    assert.is(unknownPick(item, { measure: foreign }), "measure");
    assert.is(unknownPick(item, { "x-axis": foreign }), "x-axis");
    assert.is(unknownPick(item, { measure: pickKeyOf(ofMeasure!.choices[0]!) }), undefined);
  });

  test("columns of pickers are completed like those of slots", () => {
    const position = { col: 0, row: 0, sizeX: 1, sizeY: 1 };
    const columns = [{ id: "km", name: { en: "Distance" }, format: ".1f" }];
    const [completed] = completeItems([{ item, position }], columns);
    const [first] = completed?.item.pickers ?? [];
    assert.equal(first?.choices[1]?.label, { en: "Distance" });
    assert.is(first?.choices[1]?.format, ".1f");
  });
});
