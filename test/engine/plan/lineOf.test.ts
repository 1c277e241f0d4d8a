import * as assert from "uvu/assert";
import type { BoundValue } from "../../../engine/expressions/boundValue.ts";
import { lineOf } from "../../../engine/plan/lineOf.ts";
import { suite } from "../../support/suite.ts";
import { columnsOf } from "./columnsOf.ts";

const columns = columnsOf([
  Float64Array.of(1, -7, NaN),
  Float64Array.of(1, 2.5, 3),
  Float64Array.of(2 ** 51, 0, 1),
]);
const [whole, decimal, large] = [0, 1, 2].map((column) => ({ kind: "column", column }) as const);
const number = (value: number) => ({ kind: "literal", value }) as const;
const call = (name: string, ...of: (BoundValue | undefined)[]): BoundValue => ({
  kind: "call",
  function: name,
  of: of.filter((part) => part !== undefined),
});
const lineOfCall = (name: string, ...of: (BoundValue | undefined)[]) => {
  const line = lineOf(call(name, ...of), columns);
  return line && [line.factor, line.shift];
};

suite("engine/plan/lineOf", (test) => {
  test("sums, differences and products of a column of whole numbers with whole constants are lines", () => {
    assert.equal(lineOfCall("add", whole, number(3)), [1, 3]);
    assert.equal(lineOfCall("add", number(3), whole), [1, 3]);
    assert.equal(lineOfCall("subtract", whole, number(3)), [1, -3]);
    assert.equal(lineOfCall("subtract", number(3), whole), [-1, 3]);
    assert.equal(lineOfCall("multiply", whole, number(-2)), [-2, 0]);
    assert.equal(lineOfCall("negate", whole), [-1, 0]);
    assert.equal(lineOfCall("multiply", call("add", whole, number(1)), number(5)), [5, 5]);
    assert.equal(lineOfCall("subtract", number(1), call("multiply", number(2), whole)), [-2, 1]);
  });

  test("an expression is not a line if it may be rounded, or if it has the same value for all numbers", () => {
    assert.is(lineOfCall("add", decimal, number(1)), undefined);
    assert.is(lineOfCall("add", whole, number(0.5)), undefined);
    assert.is(lineOfCall("add", whole, number(NaN)), undefined);
    assert.is(lineOfCall("add", large, number(2 ** 51)), undefined);
    assert.is(
      lineOfCall("subtract", call("multiply", large, number(4)), number(2 ** 53)),
      undefined,
    );
    assert.is(lineOfCall("multiply", whole, number(0)), undefined);
    assert.is(lineOfCall("divide", whole, number(2)), undefined);
    assert.is(lineOfCall("add", whole, whole), undefined);
    assert.is(lineOfCall("abs", whole), undefined);
  });
});
