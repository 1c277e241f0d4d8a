import * as assert from "uvu/assert";
import { advances } from "../../../../../core/web/charts/text/advances.ts";
import { measureText } from "../../../../../core/web/charts/text/measureText.ts";
import { suite } from "../../../../support/suite.ts";
import { advancesOfFont } from "../advancesOfFont.ts";

suite("core/web/charts/text/advances", (test) => {
  test("the table of advance widths matches the shipped font", () => {
    assert.is(advances[400], advancesOfFont(400));
    assert.is(advances[600], advancesOfFont(600));
  });

  test("all digits are equally wide, and combining marks and unknown characters have fixed widths", () => {
    assert.is(measureText("1111", 10), measureText("8888", 10));
    assert.is(measureText("e\u0301", 10), measureText("e", 10));
    assert.is(measureText("漢字", 10), 20);
    assert.ok(measureText("Wide", 10, 600) > measureText("Wide", 10));
  });
});
