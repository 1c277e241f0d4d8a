import * as assert from "uvu/assert";
import { RowEvaluator } from "../../../engine/expressions/rowEvaluator.ts";
import { suite } from "../../support/suite.ts";

suite("engine/expressions/rowEvaluator", (test) => {
  test("the evaluator yields to other work before each row, and stops if that work fails", () => {
    let turns = 0;
    const rows = {
      kind: "rows",
      type: "text",
      inputs: [],
      expression: { kind: "literal", type: "text", value: "x" },
    } as const;
    new RowEvaluator(rows, () => void turns++).writeCodes([], 5, new Uint32Array(5));
    assert.is(turns, 5);
    const ending = new RowEvaluator({ ...rows, type: "number" }, () => {
      if (++turns === 8) throw new Error("cancelled");
    });
    assert.throws(() => ending.writeNumbers([], 5, new Float64Array(5)), "cancelled");
    assert.is(turns, 8);
  });
});
