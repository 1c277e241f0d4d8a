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
  test("totals are queried without groups, order and limit, but with the filters of the table", () => {
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

  test("plain numbers are summed in totals, but bins, texts and datetimes have no total", () => {
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

  test("only tables with the option, groups and measures have totals, and only without filters on groups", () => {
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
