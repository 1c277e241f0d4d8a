import * as assert from "uvu/assert";
import { comparedItem } from "../../../../../core/web/charts/item/comparedItem.ts";
import { readItem } from "../../../../../core/web/charts/item/readItem.ts";
import { suite } from "../../../../support/suite.ts";

const day = { datasetId: "d", columnId: "day", type: "datetime" };
const other = { datasetId: "d", columnId: "other", type: "datetime" };
const km = { datasetId: "d", columnId: "km", type: "numeric" };
const year = { dataset_id: "d", column_id: "day", level: 1, quantity: 1 };
const month = { level: 3, quantity: 1, type: "percentageChange" };

/** Returns the calculation of a chart's only measure after a reader chose to compare `day` with the year before. */
function comparedWith(measure: object, ...axis: readonly object[]) {
  const item = readItem({
    type: "line-chart",
    slots: [
      { name: "x-axis", content: axis },
      { name: "measure", content: [{ ...km, ...measure }] },
    ],
  });
  return comparedItem(item, [year]).fields.at(-1)?.calculation;
}

suite("core/web/charts/item/comparedItem", (test) => {
  test("a measure is compared with the period that the reader chose instead of the stored one", () => {
    const compared = { type: "percentage_change", ...year };
    assert.equal(comparedWith({ periodOverPeriod: month }, day), compared);
    assert.equal(comparedWith({ periodOverPeriod: month }), compared);
    const offsetDateColumn = { id: "day", datasetId: "d" };
    for (const axis of [[], [other], [day, other]])
      assert.equal(
        comparedWith({ periodOverPeriod: { ...month, offsetDateColumn } }, ...axis),
        compared,
      );
    const toDate = { ...month, periodToDate: true };
    assert.equal(comparedWith({ periodOverPeriod: toDate }, day), compared);
  });

  test("measures along another column, shares, ranks and plain measures stay as they are stored", () => {
    const stored = { type: "percentage_change", level: 3, quantity: 1 };
    assert.equal(comparedWith({ periodOverPeriod: month }, other), stored);
    assert.equal(comparedWith({ periodOverPeriod: month }, day, other), stored);
    const offsetDateColumn = { id: "other", datasetId: "d" };
    const along = { ...stored, dataset_id: "d", column_id: "other" };
    assert.equal(comparedWith({ periodOverPeriod: { ...month, offsetDateColumn } }, day), along);
    const elsewhere = comparedWith({ datasetId: "e", periodOverPeriod: month });
    assert.equal(elsewhere, stored);
    assert.equal(comparedWith({ calculation: { type: "share_of_total" } }, day), {
      type: "share_of_total",
    });
    assert.is(comparedWith({}, day), undefined);
  });
});
