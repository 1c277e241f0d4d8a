import * as assert from "uvu/assert";
import { columnValues } from "../../../../core/sources/data/columnValues.ts";
import { columnFormat } from "../../../../core/resources/columns/columnFormat.ts";
import { numberFormat } from "../../../../core/web/charts/format/numberFormats.ts";
import { suite } from "../../../support/suite.ts";

suite("core/resources/columns/columnFormat", (test) => {
  test("by default, numbers have at most two decimals, and whole numbers have none", () => {
    const write = numberFormat(columnFormat("numeric"), "en");
    assert.equal([318, 771_894, 81.666, 0.5].map(write), ["318", "771,894", "81.67", "0.5"]);
  });

  test("by default, years have no separators", () => {
    for (const name of ["year", "Year", " fiscal_year", "Jahr", "année"])
      assert.is(numberFormat(columnFormat("numeric", null, name), "en")(2024), "2024", name);
    for (const name of ["sales", "years of service", "yearly_sales", ""])
      assert.is(numberFormat(columnFormat("numeric", null, name), "en")(2024), "2,024", name);
  });

  test("date columns are precise to the day, and instant columns to the millisecond", () => {
    assert.is(columnFormat("datetime", "date").lowestLevel, 5);
    for (const subtype of ["datetime", null, undefined])
      assert.is(columnFormat("datetime", subtype).lowestLevel, 9);
  });

  test("pushed columns and columns of plugins have the same format", () => {
    for (const type of ["numeric", "hierarchy", "datetime"] as const)
      for (const subtype of ["date", undefined] as const) {
        const { informat, format, lowestLevel } = columnValues("c", 0, { type, subtype }, "s", "u");
        assert.equal({ informat, format, lowestLevel }, columnFormat(type, subtype));
      }
  });
});
