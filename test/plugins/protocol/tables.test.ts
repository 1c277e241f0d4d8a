import * as assert from "uvu/assert";
import { fieldTypes } from "../../../core/web/charts/item/item.ts";
import { levels as chartLevels } from "../../../core/web/charts/format/datetimeFormats.ts";
import { periodLengths as enginePeriods, periods } from "../../../engine/types.ts";
import { dataTypes, levelNumber, levels, periodLengths } from "../../../plugins/protocol/index.ts";
import { suite } from "../../support/suite.ts";

// The engine and the charts import nothing of the protocol, so no compiler compares their tables with its own.
suite("plugins/protocol, tables of others", (test) => {
  test("the engine has the protocol's levels, in their order and with their lengths", () => {
    assert.equal(periods, levels);
    assert.equal(enginePeriods, periodLengths);
  });

  test("the charts have the protocol's column types, and its levels by their numbers", () => {
    assert.equal([...fieldTypes].toSorted(), [...dataTypes].toSorted());
    assert.equal(
      levels.map((level) => chartLevels[levelNumber(level)]),
      levels,
    );
    assert.is(chartLevels.length, levels.length + 1);
  });
});
