import * as assert from "uvu/assert";
import { queryOf, readItem, totalsOf } from "../../../../../core/web/charts/index.ts";
import { suite } from "../../../../support/suite.ts";

const column = (columnId: string, type: string, more: object = {}) => ({
  columnId,
  datasetId: "d",
  type,
  ...more,
});
const tableOf = (content: readonly object[], options: object = { totals: true }) =>
  readItem({ type: "regular-table", options, slots: [{ name: "columns", content }] });

suite("core/web/charts/item/totalsOf", (test) => {
  test("totals of a table are queried with its filters, but without groups, order or limit", () => {
    const item = tableOf(
      [
        column("a", "hierarchy"),
        column("b", "numeric", { aggregationFunc: "average" }),
        { formulaId: "f", datasetId: "d", type: "numeric" },
        column("c", "hierarchy", { aggregationFunc: "distinctcount" }),
      ],
      { totals: true, sort: { by: "measure" }, limit: { number: 5 } },
    );
    const where = [{ expression: "? = ?" }];
    const totals = totalsOf(item, { where, localeId: "nl", timezoneId: "Asia/Tokyo" });
    const { measures, where: filters, options } = queryOf(item, { where })?.query ?? {};
    assert.equal(totals?.query, {
      dimensions: [],
      measures,
      where: filters,
      options: { ...Object(options), locale_id: "nl", timezone_id: "Asia/Tokyo" },
    });
    assert.equal(totals?.place([1.5, 2, 3]), [null, 1.5, 2, 3]);
  });

  test("plain numbers are summed in totals, but bins, strings and datetimes have no total", () => {
    const totals = totalsOf(
      tableOf([
        column("a", "hierarchy"),
        column("n", "numeric"),
        column("t", "datetime", { level: 5 }),
        column("b", "numeric", { bins: { enabled: true, number: 4 } }),
      ]),
    );
    assert.equal(totals?.query["measures"], [
      { dataset_id: "d", column_id: "n", aggregation: { type: "sum" } },
    ]);
    assert.equal(totals?.query["options"], {});
    assert.equal(totals?.place([7]), [null, 7, null, null]);
  });

  test("a table has totals only if it has groups, measures and the option for totals, and no filter on groups", () => {
    const km = column("km", "numeric", { aggregationFunc: "sum" });
    const place = column("a", "hierarchy");
    assert.ok(totalsOf(tableOf([place, km])));
    for (const options of [{}, { totals: "yes" }, { totals: 1 }])
      assert.is(totalsOf(tableOf([place, km], options)), undefined);
    assert.is(totalsOf(tableOf([km])), undefined);
    assert.is(totalsOf(tableOf([place])), undefined);
    assert.is(totalsOf({ ...tableOf([place, km]), type: "bar-chart" }), undefined);
    assert.is(totalsOf(tableOf([place, km]), { having: [{ expression: "? > ?" }] }), undefined);
  });
});
