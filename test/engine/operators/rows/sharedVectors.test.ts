import * as assert from "uvu/assert";
import { SharedVectors } from "../../../../engine/operators/rows/sharedVectors.ts";
import { suite } from "../../../support/suite.ts";

const column = (index: number) => ({ kind: "column", column: index });
const add = (...of: object[]) => ({ kind: "call", function: "add", of });
const literal = (value: number) => ({ kind: "literal", value });

suite("engine/operators/rows/sharedVectors", (test) => {
  test("equal expressions share what is compiled, and different expressions and forms do not", () => {
    const table = Float64Array.of(1);
    const expressions = [
      column(0),
      column(1),
      add(column(0), column(1)),
      add(column(1), column(0)),
      literal(0),
      literal(-0),
      literal(NaN),
      { kind: "in", left: column(0), values: new Set([1, 2]) },
      { kind: "in", left: column(0), values: new Set([1, 3]) },
      { kind: "byCode", column: 0, values: table },
      { kind: "byCode", column: 0, values: Float64Array.of(1) },
    ];
    const shared = new SharedVectors<number>();
    let count = 0;
    const share = (form: string, of: object) => shared.share(form, of, () => count++);
    const numbers = expressions.flatMap((of) => [share("codes", of), share("mask", of)]);
    assert.equal(numbers, [...numbers.keys()]);
    const copies = expressions.map((of) => structuredClone({ of }).of);
    copies[9] = { kind: "byCode", column: 0, values: table };
    copies[10] = expressions[10]!;
    assert.equal(
      copies.flatMap((of) => [share("codes", of), share("mask", of)]),
      numbers,
    );
  });

  test("an expression that contains the same part many times is numbered in a moment", () => {
    const shared = new SharedVectors<number>();
    let of: object = column(0);
    for (let level = 0; level < 200; level++) of = add(of, of);
    assert.is(
      shared.share("0", of, () => 1),
      1,
    );
    assert.is(
      shared.share("0", structuredClone(of), () => 2),
      1,
    );
  });
});
