import * as assert from "uvu/assert";
import { columnValues } from "../../../../core/sources/data/columnValues.ts";
import { columnFormat } from "../../../../core/resources/columns/columnFormat.ts";
import { suite } from "../../../support/suite.ts";

suite("core/resources/columns/columnFormat", (test) => {
  test("a number column has two decimals by default, in the format that clients expect", () => {
    assert.is(columnFormat("numeric").format, ",.2f");
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
