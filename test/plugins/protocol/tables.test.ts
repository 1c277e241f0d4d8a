import * as assert from "uvu/assert";
import { fieldTypes } from "../../../core/web/charts/item/item.ts";
import { levels as chartLevels } from "../../../core/web/charts/format/datetimeFormats.ts";
import { periodLengths as enginePeriods, periods } from "../../../engine/types.ts";
import { dataTypes, levelNumber, levels, periodLengths } from "../../../plugins/protocol/index.ts";
import { suite } from "../../support/suite.ts";

// The engine and the charts do not import the protocol, so the compiler cannot compare their tables with the
// protocol's.
suite("plugins/protocol, copies of its tables", (test) => {
  test("the engine and the protocol have the same levels, in the same order and with the same lengths", () => {
    assert.equal(periods, levels);
    assert.equal(enginePeriods, periodLengths);
  });

  test("charts use the protocol's column types and level numbers", () => {
    assert.equal([...fieldTypes].toSorted(), [...dataTypes].toSorted());
    assert.equal(
      levels.map((level) => chartLevels[levelNumber(level)]),
      levels,
    );
    assert.is(chartLevels.length, levels.length + 1);
  });
});
